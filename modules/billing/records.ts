import {
  idPattern,
  Nullable,
  named,
  OneOf,
  type RecordOf,
  type Static,
  Time,
  Type,
  table,
} from '@larder-dev/larder/kernel'
import type { Actor } from '@larder-dev/larder/kernel/internal'
import { ENTRY_KINDS } from './domain/credit-ledger.ts'
import type { History } from './domain/event-history.ts'
import { CHANGE_KINDS, type Revenue } from './domain/revenue.ts'
import type { State } from './domain/subscription-states.ts'
import { RecipeEntitlement, RecipePlan } from './recipe/sections.ts'

/** Entitlements of the recipe, which belong to no tenant. */
export const entitlementTable = table(
  'billing_entitlements',
  Type.Object({ key: Type.String(), definition: RecipeEntitlement, createdAt: Time, updatedAt: Time }),
  { what: 'entitlement', key: 'key' },
)

/** Plans of the recipe, and those that left it and have subscribers. They belong to no tenant. */
export const planTable = table(
  'billing_plans',
  Type.Object({
    key: Type.String(),
    definition: RecipePlan,
    /** Fingerprint of the definition. */
    hash: Type.String(),
    retired: Type.Boolean(),
    createdAt: Time,
    updatedAt: Time,
  }),
  { what: 'plan', key: 'key', defaults: { retired: false } },
)

/** See `Subject`. */
const Member = Type.String()

export const subscriptionTable = table(
  'billing_subscriptions',
  Type.Object({
    id: Type.String(),
    tenantId: Type.String(),
    memberId: Member,
    state: Type.Unsafe<State>({ type: 'string' }),
    /** Null: the default plan. */
    planKey: Nullable(Type.String()),
    trialUsed: Type.Boolean(),
    trialEndsAt: Nullable(Time),
    currentPeriodEnd: Nullable(Time),
    graceEndsAt: Nullable(Time),
    cancelAtPeriodEnd: Type.Boolean(),
    /** The provider collects no payments for now: the default plan's entitlements hold. */
    paymentPaused: Type.Boolean(),
    /** Plan of a subscription that was canceled because the provider gave up collecting. */
    unpaidPlanKey: Nullable(Type.String()),
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
    /** An operator gave the plan, and nobody pays for it. */
    given: Type.Boolean(),
    /** What it adds to the recurring revenue, as recorded; null for nothing. */
    revenue: Nullable(Type.Unsafe<Revenue>({ type: 'object' })),
    createdAt: Time,
    updatedAt: Time,
  }),
  {
    what: 'subscription',
    columns: { customerId: 'provider_customer', providerSubscriptionId: 'provider_subscription' },
    defaults: {
      memberId: '',
      trialUsed: false,
      cancelAtPeriodEnd: false,
      paymentPaused: false,
      paymentsSucceed: true,
      shiftedDays: 0,
      given: false,
    },
  },
)
export type SubscriptionRow = Readonly<RecordOf<typeof subscriptionTable>>

/** Changes of the recurring revenue, and of trials. Append-only; they belong to no tenant. */
export const revenueChangeTable = table(
  'billing_revenue_changes',
  Type.Object({
    recordedAt: Time,
    kind: OneOf(CHANGE_KINDS),
    planKey: Type.String(),
    currency: Type.String(),
    /** Per year, in minor units. */
    annual: Type.Integer(),
    /** Subscriptions that pay. */
    subscriptions: Type.Integer(),
  }),
  { what: 'change of the revenue', key: 'recordedAt' },
)

/** The newest events of each subscription. */
export const historyTable = table(
  'billing_event_histories',
  Type.Object({ tenantId: Type.String(), memberId: Member, history: Type.Unsafe<History>({}) }),
  { what: 'history', key: 'tenantId' },
)

/** Subscriptions of the provider that a checkout has begun. */
export const checkoutTable = table(
  'billing_checkouts',
  Type.Object({ tenantId: Type.String(), subscription: Type.String() }),
  { what: 'checkout', key: 'subscription' },
)

/** The last measurement of each table whose rows count as storage. */
export const rowScanTable = table(
  'billing_row_scans',
  Type.Object({
    tableName: Type.String(),
    /** Statistics of the table at the scan. The same statistics later mean the same rows. */
    fingerprint: Type.String(),
    /** When the last run began that scanned the table or found it unchanged. */
    scannedAt: Time,
    durationMs: Type.Integer(),
  }),
  { what: 'scan', key: 'tableName' },
)

export const LedgerEntry = named(
  'CreditTransaction',
  Type.Object({
    id: Type.String({ pattern: idPattern('crd') }),
    key: Type.String(),
    kind: OneOf(ENTRY_KINDS),
    amount: Type.Integer({ description: 'Negative for deductions' }),
    balanceBefore: Type.Integer(),
    balanceAfter: Type.Integer(),
    reason: Type.String(),
    reference: Nullable(Type.String()),
    expiresAt: Nullable(Time),
    createdAt: Time,
  }),
)
export type LedgerEntry = Readonly<Static<typeof LedgerEntry>>

/** Append-only. */
export const entryTable = table('billing_credit_entries', LedgerEntry, {
  what: 'entry',
  hidden: {
    tenantId: Type.String(),
    memberId: Member,
    /** Key of the cause: at most one entry is written per source. */
    source: Nullable(Type.String()),
    actor: Type.Unsafe<Actor>({ type: 'object' }),
  },
})

/** The remaining credits of each grant. */
export const lotTable = table(
  'billing_credit_lots',
  Type.Object({ grantId: Type.String(), key: Type.String(), remaining: Type.Integer(), expiresAt: Nullable(Time) }),
  { what: 'lot', key: 'grantId', hidden: { tenantId: Type.String(), memberId: Member } },
)
