/** What `reconcile` would do, told before it is done, and whom it would hurt. */
import type { Deps, RecipeChange, RecipeView } from 'larder/kernel'
import { UNLIMITED } from '../core/plans.ts'
import { type Difference, differences, type PlanDiff, type PlanRow } from './diff.ts'
import { entitlementChanges, readEntitlementDiff } from './entitlements.ts'
import { readPlanDiff } from './reconcile.ts'
import type { RecipePlan, Sections } from './sections.ts'

export async function plan(
  { database }: Deps<'database'>,
  _options: unknown,
  { sections }: RecipeView<Sections>,
): Promise<readonly RecipeChange[]> {
  const unit = database.system('whom a change of plans would hurt, in every tenant')
  return [
    ...entitlementChanges(await readEntitlementDiff(unit, sections.entitlements)),
    ...planChanges(await readPlanDiff(unit, sections.plans)),
  ]
}

export const planChanges = ({ add, change, remove }: PlanDiff): RecipeChange[] => [
  ...add.map(({ key, says }) => ({ change: 'add' as const, subject: `plan ${key}`, detail: priceOf(says) })),
  ...change.map(({ row, wanted }) => changed(row, wanted.says)),
  ...remove.map(({ key, subscribers }) => ({
    change: 'remove' as const,
    subject: `plan ${key}`,
    ...(subscribers > 0 && {
      detail: 'retired; existing subscribers keep it',
      breaks: `${tenants(subscribers)} on this plan; no one else can buy it`,
    }),
  })),
]

function changed({ key, says, retired, subscribers }: PlanRow, after: RecipePlan): RecipeChange {
  const found = differences(says, after)
  const told = found.map(({ field, before, after }) => `${field} ${shown(before)} → ${shown(after)}`)
  const less = found.filter(takesAway).map(({ field }) => field)
  return {
    change: 'change',
    subject: `plan ${key}`,
    detail: [...(retired ? ['on sale again'] : []), ...told].join(', '),
    ...(less.length > 0 &&
      subscribers > 0 && {
        breaks: `${tenants(subscribers)} on this plan ${subscribers === 1 ? 'loses' : 'lose'} ${less.join(', ')}`,
      }),
  }
}

const shown = (value: unknown): string => (value === undefined ? 'none' : String(value))
const amount = (value: unknown): number => (value === UNLIMITED ? Number.POSITIVE_INFINITY : Number(value ?? 0))
const takesAway = ({ field, before, after }: Difference): boolean =>
  /^(entitlements|credits)\./.test(field) && amount(after) < amount(before)
const tenants = (count: number): string => (count === 1 ? '1 tenant' : `${count} tenants`)
const priceOf = ({ price, currency = '', interval = 'month' }: RecipePlan): string =>
  price === 0 ? 'price 0' : `price ${price} ${currency} a ${interval}`
