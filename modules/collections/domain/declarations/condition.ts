/** Conditions of access rules and filters. Pure. */
import type { Conditions, Operators, Scalar } from '@larder-dev/larder/kernel/internal'

/**
 * Field → value or operators; all must match. A field is `title`, or `category.name` over up to three references. A value
 * can be `$member`, `$user`, `$tenant` or `$now`. `or` has alternatives, and `not` a condition.
 */
export type Condition = Conditions

/** Field of the row → constant value or operators; all must match. */
export type Where = Readonly<Record<string, Scalar | Operators>>

/** The values of `$member` and the like; undefined matches nothing. */
export interface Subject {
  readonly $member: string | undefined
  readonly $user: string | undefined
  readonly $tenant: string
  /** ISO 8601. */
  readonly $now: string
}
export const VARIABLES = ['$member', '$user', '$tenant', '$now'] as const satisfies readonly (keyof Subject)[]
export const variableOf = (value: unknown) => VARIABLES.find(variable => variable === value)
