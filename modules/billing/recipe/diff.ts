/** What a recipe changes of the plans that are in the database. Pure: `reconcile` does it, `plan` tells it. */
import { fingerprint } from 'larder/kernel'
import type { RecipePlan, Sections } from './sections.ts'

export interface PlanRow {
  readonly key: string
  readonly says: RecipePlan
  readonly hash: string
  readonly retired: boolean
  /** Tenants that have it. */
  readonly subscribers: number
}
export interface PlanDiff {
  readonly add: readonly WantedPlan[]
  readonly change: readonly { readonly row: PlanRow; readonly wanted: WantedPlan }[]
  /** Those that somebody has are kept, as retired ones. */
  readonly remove: readonly PlanRow[]
}
export interface WantedPlan {
  readonly key: string
  readonly says: RecipePlan
  readonly hash: string
}

export function diffPlans(rows: readonly PlanRow[], plans: Sections['plans'] = {}): PlanDiff {
  const there = new Map(rows.map(row => [row.key, row]))
  const wanted = Object.entries(plans).map(([key, says]) => ({ key, says, hash: fingerprint(says) }))
  return {
    add: wanted.filter(({ key }) => !there.has(key)),
    change: wanted.flatMap(plan => {
      const row = there.get(plan.key)
      return row && (row.hash !== plan.hash || row.retired) ? [{ row, wanted: plan }] : []
    }),
    // A retired plan goes with its last subscriber.
    remove: rows.filter(row => !Object.hasOwn(plans, row.key) && !(row.retired && row.subscribers > 0)),
  }
}

export interface Difference {
  readonly field: string
  readonly before: unknown
  readonly after: unknown
}

/** Field by field, entitlements and credits by their keys. */
export function differences(before: RecipePlan, after: RecipePlan): Difference[] {
  const flat = ({ entitlements = {}, credits = {}, ...rest }: RecipePlan): Record<string, unknown> => ({
    ...rest,
    ...prefixed('entitlements', entitlements),
    ...prefixed('credits', credits),
  })
  const [old, young] = [flat(before), flat(after)]
  return [...new Set([...Object.keys(old), ...Object.keys(young)])]
    .filter(field => old[field] !== young[field])
    .map(field => ({ field, before: old[field], after: young[field] }))
}

const prefixed = (name: string, values: Readonly<Record<string, number>>) =>
  Object.fromEntries(Object.entries(values).map(([key, value]) => [`${name}.${key}`, value]))
