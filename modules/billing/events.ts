/** Payload schemas of the events that billing publishes. Timestamps are RFC 3339. */
import { Nullable, named, OneOf, publicEvent, Type } from '@larder-dev/larder/kernel'
import { ENTRY_KINDS } from './domain/credit-ledger.ts'
import { STATES } from './domain/subscription-states.ts'

/** The customer, in a product of people. */
const MemberId = Type.Optional(Type.String())
const Time = Nullable(Type.String())
const Subscription = named(
  'SubscriptionEventData',
  Type.Object({
    subscriptionId: Type.String(),
    memberId: MemberId,
    state: OneOf(STATES),
    previousState: OneOf(STATES),
    planKey: Type.String(),
    previousPlanKey: Type.String(),
    currentPeriodEnd: Time,
    trialEndsAt: Time,
    graceEndsAt: Time,
    paymentPaused: Type.Boolean(),
  }),
)
const Credit = named(
  'CreditEventData',
  Type.Object({
    entryId: Type.String(),
    memberId: MemberId,
    key: Type.String(),
    kind: OneOf(ENTRY_KINDS),
    /** Negative for deductions. */
    amount: Type.Integer(),
    balance: Type.Integer(),
  }),
)

export const events = {
  'billing.subscription.trial_started': publicEvent('A trial started.', Subscription),
  /** Paid for: by a checkout, at the end of a trial, or after a failed payment. */
  'billing.subscription.activated': publicEvent(
    'A subscription became active: after a checkout, at the end of a trial, or after a failed payment was settled.',
    Subscription,
  ),
  'billing.subscription.renewed': publicEvent('A subscription was renewed for another period.', Subscription),
  'billing.subscription.plan_changed': publicEvent('A subscription changed to another plan.', Subscription),
  'billing.subscription.past_due': publicEvent('A payment failed; the grace period started.', Subscription),
  'billing.subscription.cancel_scheduled': publicEvent(
    'A subscription will be canceled at the end of its period.',
    Subscription,
  ),
  'billing.subscription.resumed': publicEvent('A scheduled cancellation was withdrawn.', Subscription),
  'billing.subscription.canceled': publicEvent('A subscription was canceled.', Subscription),
  'billing.subscription.payment_paused': publicEvent(
    "The payment of a subscription was paused: the default plan's entitlements hold.",
    Subscription,
  ),
  'billing.subscription.payment_resumed': publicEvent('The payment of a subscription was resumed.', Subscription),
  'billing.credit.granted': publicEvent('Credits were granted.', Credit),
  'billing.credit.refunded': publicEvent('Credits were refunded.', Credit),
  'billing.credit.adjusted': publicEvent('The credit balance was adjusted.', Credit),
  'billing.credit.expired': publicEvent('Credits expired.', Credit),
}
