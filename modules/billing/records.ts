import { Nullable, type RecordOf, Time, Type, table } from 'larder/kernel'
import type { State } from './domain/subscription-states.ts'

export const subscriptionTable = table(
  'billing_subscriptions',
  Type.Object({
    id: Type.String(),
    tenantId: Type.String(),
    state: Type.Unsafe<State>({ type: 'string' }),
    /** Null: the default plan. */
    planKey: Nullable(Type.String()),
    trialUsed: Type.Boolean(),
    trialEndsAt: Nullable(Time),
    currentPeriodEnd: Nullable(Time),
    graceEndsAt: Nullable(Time),
    cancelAtPeriodEnd: Type.Boolean(),
    /** The provider's id of the customer. */
    customerId: Nullable(Type.String()),
    providerSubscriptionId: Nullable(Type.String()),
    /** Whether the development provider's next payment succeeds. */
    paymentsSucceed: Type.Boolean(),
    lastEventAt: Nullable(Time),
    /** Day of the month on which periods end. */
    anchorDay: Nullable(Type.Integer()),
    /** Days by which the dates were moved back. */
    shiftedDays: Type.Integer(),
    createdAt: Time,
    updatedAt: Time,
  }),
  {
    what: 'subscription',
    columns: { customerId: 'provider_customer', providerSubscriptionId: 'provider_subscription' },
    defaults: { trialUsed: false, cancelAtPeriodEnd: false, paymentsSucceed: true, shiftedDays: 0 },
  },
)
export type SubscriptionRow = Readonly<RecordOf<typeof subscriptionTable>>
