/** Payload schemas of the events that billing publishes. Timestamps are RFC 3339. */
import { Nullable, OneOf, Type } from 'larder/kernel'
import { ENTRY_KINDS } from './domain/credit-ledger.ts'
import { STATES } from './domain/subscription-states.ts'

const Time = Nullable(Type.String())
const Subscription = Type.Object({
  subscriptionId: Type.String(),
  state: OneOf(STATES),
  previousState: OneOf(STATES),
  planKey: Type.String(),
  previousPlanKey: Type.String(),
  currentPeriodEnd: Time,
  trialEndsAt: Time,
  graceEndsAt: Time,
})
const Credit = Type.Object({
  entryId: Type.String(),
  key: Type.String(),
  kind: OneOf(ENTRY_KINDS),
  /** Negative for deductions. */
  amount: Type.Integer(),
  balance: Type.Integer(),
})

export const events = {
  'billing.subscription.trial_started': Subscription,
  /** Paid for: by a checkout, at the end of a trial, or after a failed payment. */
  'billing.subscription.activated': Subscription,
  'billing.subscription.renewed': Subscription,
  'billing.subscription.plan_changed': Subscription,
  'billing.subscription.past_due': Subscription,
  'billing.subscription.cancel_scheduled': Subscription,
  'billing.subscription.resumed': Subscription,
  'billing.subscription.canceled': Subscription,
  'billing.credit.granted': Credit,
  'billing.credit.refunded': Credit,
  'billing.credit.adjusted': Credit,
  'billing.credit.expired': Credit,
}
