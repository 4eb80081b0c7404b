/** Differences between the plans and entitlements of the recipe and those in the database. */
import { fingerprint, type LocalText } from '@larder-dev/larder/kernel'
import type { RecipeEntitlement, RecipePlan, Sections } from './sections.ts'

export interface PlanRow {
  readonly key: string
  readonly definition: RecipePlan
  readonly hash: string
  readonly retired: boolean
  /** Number of tenants with the plan. */
  readonly subscribers: number
}
export interface WantedPlan {
  readonly key: string
  readonly definition: RecipePlan
  readonly hash: string
}
export interface PlanDiff {
  readonly add: readonly WantedPlan[]
  readonly change: readonly { readonly row: PlanRow; readonly wanted: WantedPlan }[]
  /** Plans with subscribers are retired instead of deleted. */
  readonly remove: readonly PlanRow[]
}

export function diffPlans(rows: readonly PlanRow[], plans: Sections['plans'] = {}): PlanDiff {
  const existing = new Map(rows.map(row => [row.key, row]))
  const wanted = Object.entries(plans).map(([key, definition]) => ({ key, definition, hash: fingerprint(definition) }))
  return {
    add: wanted.filter(({ key }) => !existing.has(key)),
    change: wanted.flatMap(plan => {
      const row = existing.get(plan.key)
      return row && (row.hash !== plan.hash || row.retired) ? [{ row, wanted: plan }] : []
    }),
    // A retired plan is deleted once it has no subscribers.
    remove: rows.filter(row => !Object.hasOwn(plans, row.key) && !(row.retired && row.subscribers > 0)),
  }
}

export interface FieldChange {
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

export interface EntitlementRow {
  readonly key: string
  readonly definition: RecipeEntitlement
  /** Number of tenants with remaining credits of this key. */
  readonly holders: number
}
export interface WantedEntitlement {
  readonly key: string
  readonly definition: RecipeEntitlement
}
export interface EntitlementDiff {
  readonly add: readonly WantedEntitlement[]
  readonly change: readonly { readonly row: EntitlementRow; readonly wanted: WantedEntitlement }[]
  readonly remove: readonly EntitlementRow[]
}

export function diffEntitlements(
  rows: readonly EntitlementRow[],
  entitlements: Sections['entitlements'] = {},
): EntitlementDiff {
  const existing = new Map(rows.map(row => [row.key, row]))
  const wanted = Object.entries(entitlements).map(([key, definition]) => ({ key, definition }))
  return {
    add: wanted.filter(({ key }) => !existing.has(key)),
    change: wanted.flatMap(entitlement => {
      const row = existing.get(entitlement.key)
      const isChanged = row && fingerprint(row.definition) !== fingerprint(entitlement.definition)
      return isChanged ? [{ row, wanted: entitlement }] : []
    }),
    remove: rows.filter(({ key }) => !Object.hasOwn(entitlements, key)),
  }
}
