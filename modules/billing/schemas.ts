/** Plans, subscriptions, entitlements and credits as they stand in bodies and answers. */
import { idPattern, Nullable, OneOf, type Static, Timestamp, Type } from 'larder/kernel'
import { ENTRY_KINDS } from './domain/credit-ledger.ts'
import { STATES } from './domain/subscription-states.ts'
import { EntitlementKey, INTERVALS, KINDS, PERIODS, PlanKey } from './recipe/sections.ts'

/** The database gives a Date; it goes over the wire as RFC 3339. */
const Time = Type.Unsafe<Date>(Timestamp)
const Amounts = Type.Unsafe<Record<string, number>>({ type: 'object', additionalProperties: { type: 'number' } })

export const Plan = Type.Object({
  key: Type.String(),
  name: Type.String(),
  description: Nullable(Type.String()),
  price: Type.Integer({ description: 'Minor units' }),
  currency: Nullable(Type.String({ description: 'ISO 4217' })),
  interval: OneOf(INTERVALS),
  trialDays: Type.Integer(),
  entitlements: Amounts,
  credits: Amounts,
})

export const Subscription = Type.Object({
  id: Type.String({ pattern: idPattern('sub') }),
  state: OneOf(STATES),
  planKey: Type.String(),
  currentPeriodEnd: Nullable(Time),
  trialEndsAt: Nullable(Time),
  graceEndsAt: Nullable(Time),
  cancelAtPeriodEnd: Type.Boolean(),
  createdAt: Time,
  updatedAt: Time,
})
export type Subscription = Static<typeof Subscription>

export const Cancellation = Type.Object(
  {
    when: Type.Optional(
      OneOf(['period_end', 'now'], { description: 'period_end, so that what is paid can be used up' }),
    ),
  },
  { examples: [{ when: 'period_end' }] },
)

const ReturnUrl = Type.String({
  maxLength: 2000,
  pattern: '^https?://',
  format: 'uri',
  description: 'Where the browser goes afterwards',
  examples: ['https://acme.example/thanks'],
})
export const CheckoutOrder = Type.Object(
  { planKey: PlanKey, successUrl: Type.Optional(ReturnUrl), cancelUrl: Type.Optional(ReturnUrl) },
  { examples: [{ planKey: 'pro', successUrl: 'https://acme.example/thanks' }] },
)
export type CheckoutOrder = Static<typeof CheckoutOrder>
export const Checkout = Type.Object({
  id: Type.String(),
  status: OneOf(['open', 'complete'], { description: 'open: the person pays at url' }),
  url: Type.String(),
})
export type Checkout = Static<typeof Checkout>

export const PortalOrder = Type.Object(
  { returnUrl: Type.Optional(ReturnUrl) },
  { examples: [{ returnUrl: 'https://acme.example/account' }] },
)
export const Portal = Type.Object({ url: Type.String() })

export const StandingSchema = Type.Object({
  key: Type.String(),
  limit: Type.Number({ description: '-1: unlimited' }),
  used: Type.Number(),
  requested: Type.Number(),
  allowed: Type.Boolean(),
  upgrade: Type.Array(Type.String({ description: 'Plan key' })),
})
export const EntitlementStanding = Type.Object({
  key: Type.String(),
  name: Nullable(Type.String()),
  kind: OneOf(KINDS),
  unit: Nullable(Type.String()),
  period: Nullable(OneOf(PERIODS)),
  limit: Type.Number({ description: '-1: unlimited; of a credit what is left' }),
  used: Type.Number(),
})
export const EntitlementCheck = Type.Object(
  { amount: Type.Optional(Type.Number({ minimum: 0, maximum: 1e15, default: 1 })) },
  { examples: [{ amount: 1 }] },
)

export const Amount = Type.Integer({ minimum: 1, maximum: 1_000_000_000 })
const Reason = Type.String({ minLength: 1, maxLength: 200, pattern: '\\S' })
const Reference = Type.String({ minLength: 1, maxLength: 200, description: 'Of yours, e.g. the id of what it was for' })

export const CreditBalance = Type.Object({
  key: Type.String(),
  name: Nullable(Type.String()),
  unit: Nullable(Type.String()),
  balance: Type.Integer(),
  nextExpiry: Nullable(
    Type.Object({ amount: Type.Integer(), expiresAt: Time }, { description: 'What is gone first, if nobody draws it' }),
  ),
})
export const LedgerEntry = Type.Object({
  id: Type.String({ pattern: idPattern('crd') }),
  key: Type.String(),
  kind: OneOf(ENTRY_KINDS),
  amount: Type.Integer({ description: 'Below zero for what is gone' }),
  balanceBefore: Type.Integer(),
  balanceAfter: Type.Integer(),
  reason: Type.String(),
  reference: Nullable(Type.String()),
  expiresAt: Nullable(Time),
  createdAt: Time,
})
export type LedgerEntry = Static<typeof LedgerEntry>

const CreditKey = Type.Unsafe<string>({ ...EntitlementKey, examples: ['ai.credits'] })
export const CreditGrant = Type.Object(
  {
    key: CreditKey,
    amount: Type.Integer({
      minimum: -1_000_000_000,
      maximum: 1_000_000_000,
      description: 'Below zero to adjust alone',
    }),
    reason: Reason,
    kind: Type.Optional(
      OneOf(['grant', 'refund', 'adjust'], { description: 'refund: of the consumption whose id is in reference' }),
    ),
    reference: Type.Optional(Reference),
    expiresAt: Type.Optional(Nullable(Type.String({ format: 'date-time', maxLength: 40 }))),
    tenantId: Type.Optional(
      Type.String({ pattern: idPattern('ten'), description: "The caller's own if none is named" }),
    ),
  },
  { examples: [{ key: 'ai.credits', amount: 100, reason: 'A gift' }] },
)
export type CreditGrant = Static<typeof CreditGrant>
export const CreditConsumption = Type.Object(
  { key: CreditKey, amount: Amount, reason: Reason, reference: Type.Optional(Reference) },
  { examples: [{ key: 'ai.credits', amount: 1, reason: 'A picture', reference: 'picture-7' }] },
)

export const Walk = Type.Object(
  {
    days: Type.Integer({ minimum: 0, maximum: 3660 }),
    payments: Type.Optional(
      OneOf(['succeed', 'fail'], { description: 'What becomes of payments from now on: succeed' }),
    ),
    tenantId: Type.Optional(
      Type.String({ pattern: idPattern('ten'), description: "The caller's own if none is named" }),
    ),
  },
  { examples: [{ days: 14 }] },
)
