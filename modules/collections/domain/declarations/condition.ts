/** Conditions of access rules and filters. Pure. */
import { type Conditions, conditionParts, type Operators, type Scalar } from '@larder-dev/larder/kernel/internal'

/**
 * Field → value or operators; all must match. A field is `title`, or `category.name` over up to three references. A value
 * can be a variable, such as `$member`, and so can the name: `{ $plan: pro }`. `or` has alternatives, and `not` a condition.
 */
export type Condition = Conditions

/** Field of the row → constant value or operators; all must match. */
export type Where = Readonly<Record<string, Scalar | Operators>>

/** A list is several values. */
export type VariableValue = Scalar | readonly Scalar[]
/**
 * The values of variables by their names. One without a value is unknown: it matches nothing, whatever the operator and
 * whatever is around it.
 */
export interface Subject {
  readonly [variable: string]: VariableValue | undefined
}

/** What the request itself says. */
export const REQUEST_VARIABLES = ['$member', '$user', '$tenant', '$now'] as const
/** The variables that a condition can name, as messages list them. */
export const VARIABLES = [...REQUEST_VARIABLES, '$role', '$plan', '$entitlement(…)', '$user.profile.…'] as const
/** The variables as editors offer them, and what they are. Those of the request have no value without a row's field. */
export const OFFERED_VARIABLES: Readonly<Record<(typeof VARIABLES)[number], { name: string; title: string }>> = {
  $member: { name: '$member', title: 'ID of the member who asks' },
  $user: { name: '$user', title: 'ID of the user who asks' },
  $tenant: { name: '$tenant', title: 'ID of the workspace' },
  $now: { name: '$now', title: 'The time of the request' },
  $role: { name: '$role', title: 'Roles of the caller in the workspace of the rows' },
  $plan: { name: '$plan', title: 'Key of the plan of the caller' },
  '$entitlement(…)': {
    name: '$entitlement(key)',
    title: 'Limit of the plan of the caller, whether a flag is on, or what remains of credits',
  },
  '$user.profile.…': { name: '$user.profile.field', title: 'Field of the profile that the person cannot change' },
}
const ENTITLEMENT = /^\$entitlement\(([^()\s]+)\)$/
const PROFILE = /^\$user\.profile\.([^.\s]+)$/

export type Variable =
  | { readonly kind: 'request'; readonly name: (typeof REQUEST_VARIABLES)[number] }
  | { readonly kind: 'role' }
  | { readonly kind: 'plan' }
  | { readonly kind: 'entitlement'; readonly key: string }
  | { readonly kind: 'profile'; readonly key: string }

export const requestVariable = (value: unknown) => REQUEST_VARIABLES.find(variable => variable === value)

/** Undefined for a value that is none. */
export function variableOf(value: unknown): Variable | undefined {
  if (typeof value !== 'string' || !value.startsWith('$')) return undefined
  const name = requestVariable(value)
  if (name) return { kind: 'request', name }
  if (value === '$role') return { kind: 'role' }
  if (value === '$plan') return { kind: 'plan' }
  const [, entitlement] = ENTITLEMENT.exec(value) ?? []
  if (entitlement !== undefined) return { kind: 'entitlement', key: entitlement }
  const [, field] = PROFILE.exec(value) ?? []
  return field === undefined ? undefined : { kind: 'profile', key: field }
}

/** The variables that a condition names, as it writes them. */
export const variablesIn = (condition: Condition): string[] =>
  conditionParts(condition).flatMap(part => {
    if (part.kind === 'not') return variablesIn(part.condition)
    if (part.kind === 'or') return part.alternatives.flatMap(variablesIn)
    const texts = [part.name, ...Object.values(part.operators).flat()]
    return texts.filter((text): text is string => variableOf(text) !== undefined)
  })
