/** The plans and entitlements of the recipe. Plans with subscribers outlive the recipe. */
import {
  type Deps,
  diffManagedRows,
  fingerprint,
  type LocalText,
  type ManagedContext,
  type ManagedRow,
  type ManagedRowsDiff,
  managedSection,
  managedSections,
} from '@larder-dev/larder/kernel'
import { decimalAmount } from '@larder-dev/larder/kernel/internal'
import { declaredPlans, UNLIMITED } from '../domain/plans.ts'
import { entitlementTable, planTable } from '../records.ts'
import type { RecipeEntitlement, RecipePlan, Sections } from './sections.ts'

type Context = ManagedContext<Deps<'database' | 'systemDatabase' | 'clock' | 'operator'>, unknown, Sections>

const acrossTenants = ({ deps }: Context) =>
  deps.systemDatabase.acrossTenants('plans and entitlements of the recipe belong to no tenant')
const keyOf = ({ key }: { readonly key: string }) => key
const tenants = (count: number): string => (count === 1 ? '1 tenant' : `${count} tenants`)

interface EntitlementRow extends ManagedRow {
  readonly key: string
  readonly definition: RecipeEntitlement
  /** Number of tenants with remaining credits of this key. */
  readonly holders: number
}
interface DeclaredEntitlement {
  readonly key: string
  readonly definition: RecipeEntitlement
  readonly hash: string
}

export const diffEntitlements = (
  rows: readonly EntitlementRow[],
  entitlements: Sections['entitlements'] = {},
): ManagedRowsDiff<DeclaredEntitlement, EntitlementRow> =>
  diffManagedRows<DeclaredEntitlement, EntitlementRow>(
    Object.entries(entitlements).map(([key, definition]) => ({ key, definition, hash: fingerprint(definition) })),
    rows,
    { keyOf, isCurrent: (row, { hash }) => fingerprint(row.definition) === hash },
  )

const REPLACE_ENTITLEMENT = entitlementTable.replacing(['key'], ['createdAt'])

export const entitlements = managedSection<Context, DeclaredEntitlement, EntitlementRow>({
  subject: ({ key }) => `entitlement ${key}`,
  addedFirst: true,
  async diff(context) {
    const { rows } = await acrossTenants(context).query<EntitlementRow>(
      `select e.key, e.definition, (select count(distinct tenant_id)::int from billing_credit_lots l
         where l.key = e.key and l.remaining > 0) as holders
       from billing_entitlements e order by e.key`,
    )
    return diffEntitlements(rows, context.recipe.sections.entitlements)
  },
  describeWrite({ declared, row }) {
    const [before, after] = [row?.definition.kind, declared.definition.kind]
    if (!row) return { detail: after }
    return before === after ? { detail: 'definition' } : { detail: `kind ${before} → ${after}`, ...lostCredits(row) }
  },
  describeRemoval: ({ row }) => ({
    ...(row.definition.kind !== 'credit' && { detail: 'no longer limited' }),
    ...lostCredits(row),
  }),
  write(context, { declared: { key, definition } }) {
    const now = new Date(context.deps.clock.now())
    const values = { key, definition, createdAt: now, updatedAt: now }
    return acrossTenants(context).query(...entitlementTable.insertStep(values, REPLACE_ENTITLEMENT))
  },
  remove: (context, { row: { key } }) => entitlementTable.delete(acrossTenants(context), { key }),
})

const lostCredits = ({ definition, holders }: EntitlementRow): { breaks?: string } =>
  definition.kind === 'credit' && holders > 0
    ? { breaks: `${tenants(holders)} can no longer consume remaining credits` }
    : {}

interface PlanRow extends ManagedRow {
  readonly key: string
  readonly definition: RecipePlan
  readonly hash: string
  readonly retired: boolean
  /** Number of tenants with the plan. */
  readonly subscribers: number
}
interface DeclaredPlan {
  readonly key: string
  readonly definition: RecipePlan
  readonly hash: string
}

/** A retired plan is deleted once it has no subscribers. */
export const diffPlans = (rows: readonly PlanRow[], plans: Sections['plans']): ManagedRowsDiff<DeclaredPlan, PlanRow> =>
  diffManagedRows<DeclaredPlan, PlanRow>(
    Object.entries(plans).map(([key, definition]) => ({ key, definition, hash: fingerprint(definition) })),
    rows.filter(({ key, retired, subscribers }) => Object.hasOwn(plans, key) || !retired || subscribers === 0),
    { keyOf, isCurrent: (row, { hash }) => row.hash === hash && !row.retired },
  )

const REPLACE_PLAN = planTable.replacing(['key'], ['createdAt'])

export const plans = managedSection<Context, DeclaredPlan, PlanRow>({
  subject: ({ key }) => `plan ${key}`,
  addedFirst: true,
  async diff(context) {
    const { rows } = await acrossTenants(context).query<PlanRow>(
      `select p.key, p.definition, p.hash, p.retired,
         (select count(*)::int from billing_subscriptions s where s.plan_key = p.key) as subscribers
       from billing_plans p order by p.key`,
    )
    return diffPlans(rows, declaredPlans(context.recipe.sections))
  },
  describeWrite: ({ declared, row }) =>
    row ? describeChange(row, declared.definition) : { detail: priceOf(declared.definition) },
  describeRemoval: ({ row: { subscribers } }) =>
    subscribers === 0
      ? {}
      : {
          detail: 'retired; existing subscribers keep it',
          breaks: `${tenants(subscribers)} on this plan; no one else can buy it`,
        },
  write(context, { declared: { key, definition, hash } }) {
    const now = new Date(context.deps.clock.now())
    const values = { key, definition, hash, createdAt: now, updatedAt: now }
    return acrossTenants(context).query(...planTable.insertStep(values, REPLACE_PLAN))
  },
  remove: (context, { row: { key } }) =>
    acrossTenants(context).query(
      `with retired as (update billing_plans set retired = true, updated_at = $2
         where key = $1 and exists (select 1 from billing_subscriptions where plan_key = $1) returning key)
       delete from billing_plans where key = $1 and not exists (select 1 from retired)`,
      [key, new Date(context.deps.clock.now())],
    ),
})

export const { plan, reconcile } = managedSections(entitlements, plans)

function describeChange({ definition, retired, subscribers }: PlanRow, after: RecipePlan) {
  const found = fieldChanges(definition, after)
  const changes = found.map(({ field, before, after: wanted }) =>
    field === 'price'
      ? `price ${majorUnits(before, definition.currency)} → ${majorUnits(wanted, after.currency)}`
      : `${field} ${toText(before)} → ${toText(wanted)}`,
  )
  const reduced = found.filter(isReduction).map(({ field }) => field)
  return {
    detail: [
      ...(retired ? ['on sale again'] : []),
      ...changes,
      ...(subscribers > 0 && found.some(isPriceChange)
        ? [`${tenants(subscribers)} ${subscribers === 1 ? 'keeps' : 'keep'} the old ${priceOf(definition)}`]
        : []),
    ].join(', '),
    ...(reduced.length > 0 &&
      subscribers > 0 && {
        breaks: `${tenants(subscribers)} on this plan ${subscribers === 1 ? 'loses' : 'lose'} ${reduced.join(', ')}`,
      }),
  }
}

interface FieldChange {
  readonly field: string
  readonly before: unknown
  readonly after: unknown
}

/** Changed fields; entitlements and credits are compared by key. */
export function fieldChanges(before: RecipePlan, after: RecipePlan): FieldChange[] {
  const flatten = ({
    entitlements = {},
    credits = {},
    name,
    description,
    ...rest
  }: RecipePlan): Record<string, unknown> => ({
    ...rest,
    ...translations('name', name),
    ...translations('description', description),
    ...withPrefix('entitlements', entitlements),
    ...withPrefix('credits', credits),
  })
  const [previous, next] = [flatten(before), flatten(after)]
  return [...new Set([...Object.keys(previous), ...Object.keys(next)])]
    .filter(field => previous[field] !== next[field])
    .map(field => ({ field, before: previous[field], after: next[field] }))
}

const translations = (field: string, text: LocalText | undefined) =>
  typeof text === 'object' ? withPrefix(field, text) : text === undefined ? {} : { [field]: text }

const withPrefix = (prefix: string, values: Readonly<Record<string, number | string>>) =>
  Object.fromEntries(Object.entries(values).map(([key, value]) => [`${prefix}.${key}`, value]))

const toText = (value: unknown): string => (value === undefined ? 'none' : String(value))
const amount = (value: unknown): number => (value === UNLIMITED ? Number.POSITIVE_INFINITY : Number(value ?? 0))
const isReduction = ({ field, before, after }: FieldChange): boolean =>
  /^(entitlements|credits)\./.test(field) && amount(after) < amount(before)
const isPriceChange = ({ field }: FieldChange): boolean => ['price', 'currency', 'interval'].includes(field)
const priceOf = ({ price, currency = '', interval = 'month' }: RecipePlan): string =>
  price === 0 ? 'price 0' : `price ${majorUnits(price, currency)} ${currency} a ${interval}`
/** `2900` → `29.00`. */
const majorUnits = (price: unknown, currency: string | undefined): string =>
  typeof price === 'number' && currency ? decimalAmount(price, currency) : toText(price)
