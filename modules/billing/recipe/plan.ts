/** What `apply` would change, and which tenants it would affect. */
import type { Deps, RecipeChange, RecipeView } from '@larder-dev/larder/kernel'
import { decimalAmount } from '@larder-dev/larder/kernel/internal'
import { declaredPlans, UNLIMITED } from '../domain/plans.ts'
import { readEntitlementDiff, readPlanDiff } from './apply.ts'
import {
  type EntitlementDiff,
  type EntitlementRow,
  type FieldChange,
  fieldChanges,
  type PlanDiff,
  type PlanRow,
} from './diff.ts'
import type { RecipePlan, Sections } from './sections.ts'

export async function plan(
  { systemDatabase }: Deps<'systemDatabase'>,
  _options: unknown,
  { sections }: RecipeView<Sections>,
): Promise<readonly RecipeChange[]> {
  const unit = systemDatabase.acrossTenants('tenants affected by a change of plans are counted')
  return [
    ...entitlementChanges(await readEntitlementDiff(unit, sections.entitlements)),
    ...planChanges(await readPlanDiff(unit, declaredPlans(sections))),
  ]
}

export const planChanges = ({ add, change, remove }: PlanDiff): RecipeChange[] => [
  ...add.map(({ key, definition }) => ({
    change: 'add' as const,
    subject: `plan ${key}`,
    detail: priceOf(definition),
  })),
  ...change.map(({ row, wanted }) => planChange(row, wanted.definition)),
  ...remove.map(({ key, subscribers }) => ({
    change: 'remove' as const,
    subject: `plan ${key}`,
    ...(subscribers > 0 && {
      detail: 'retired; existing subscribers keep it',
      breaks: `${tenants(subscribers)} on this plan; no one else can buy it`,
    }),
  })),
]

function planChange({ key, definition, retired, subscribers }: PlanRow, after: RecipePlan): RecipeChange {
  const found = fieldChanges(definition, after)
  const changes = found.map(({ field, before, after: wanted }) =>
    field === 'price'
      ? `price ${majorUnits(before, definition.currency)} → ${majorUnits(wanted, after.currency)}`
      : `${field} ${toText(before)} → ${toText(wanted)}`,
  )
  const reduced = found.filter(isReduction).map(({ field }) => field)
  return {
    change: 'change',
    subject: `plan ${key}`,
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

const toText = (value: unknown): string => (value === undefined ? 'none' : String(value))
const amount = (value: unknown): number => (value === UNLIMITED ? Number.POSITIVE_INFINITY : Number(value ?? 0))
const isReduction = ({ field, before, after }: FieldChange): boolean =>
  /^(entitlements|credits)\./.test(field) && amount(after) < amount(before)
const isPriceChange = ({ field }: FieldChange): boolean => ['price', 'currency', 'interval'].includes(field)
const tenants = (count: number): string => (count === 1 ? '1 tenant' : `${count} tenants`)
const priceOf = ({ price, currency = '', interval = 'month' }: RecipePlan): string =>
  price === 0 ? 'price 0' : `price ${majorUnits(price, currency)} ${currency} a ${interval}`
/** `2900` → `29.00`. */
const majorUnits = (price: unknown, currency: string | undefined): string =>
  typeof price === 'number' && currency ? decimalAmount(price, currency) : toText(price)

export const entitlementChanges = ({ add, change, remove }: EntitlementDiff): RecipeChange[] => [
  ...add.map(({ key, definition }) => ({
    change: 'add' as const,
    subject: `entitlement ${key}`,
    detail: definition.kind,
  })),
  ...change.map(({ row, wanted }) => {
    const [before, after] = [row.definition.kind, wanted.definition.kind]
    return {
      change: 'change' as const,
      subject: `entitlement ${row.key}`,
      detail: before === after ? 'definition' : `kind ${before} → ${after}`,
      ...(before !== after && lostCredits(row)),
    }
  }),
  ...remove.map(row => ({
    change: 'remove' as const,
    subject: `entitlement ${row.key}`,
    ...(row.definition.kind !== 'credit' && { detail: 'no longer limited' }),
    ...lostCredits(row),
  })),
]

const lostCredits = ({ definition, holders }: EntitlementRow): { breaks?: string } =>
  definition.kind === 'credit' && holders > 0
    ? { breaks: `${tenants(holders)} can no longer consume remaining credits` }
    : {}
