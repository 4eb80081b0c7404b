/** The condition language of access rules and filters: that of flags' `when`, without versions. Pure. */
export type Scalar = string | number | boolean
/** All operators must match. */
export interface Operators {
  readonly eq?: Scalar
  readonly ne?: Scalar
  readonly in?: readonly Scalar[]
  readonly notIn?: readonly Scalar[]
  readonly gt?: number | string
  readonly gte?: number | string
  readonly lt?: number | string
  readonly lte?: number | string
  readonly contains?: Scalar
  readonly startsWith?: string
  readonly endsWith?: string
  readonly exists?: boolean
}
/**
 * Field → value or operators; all must match. A field is `title`, or `category.name` one hop over a reference. A value
 * can be `$member`, `$user`, `$tenant` or `$now`.
 */
export type Condition = Readonly<Record<string, Scalar | Operators>>

/** The values of `$member` and the like; undefined matches nothing. */
export interface Subject {
  readonly $member: string | undefined
  readonly $user: string | undefined
  readonly $tenant: string
  /** ISO 8601. */
  readonly $now: string
}
