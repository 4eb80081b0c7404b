/** What the API document says about a collection, in `x-larder-collection` of its lists. Pure. */

export interface CollectionField {
  /** Type in the recipe: `text`, `money`, `reference`; `user` for the person who created a row. */
  readonly type: string
  readonly operators: readonly string[]
  readonly sortable: boolean
  /** The collection whose rows it refers to. */
  readonly reference?: { readonly to: string; readonly many: boolean }
  /** ISO 4217, of `money`. */
  readonly currency?: string
  /** Media types of a `file`. */
  readonly accept?: readonly string[]
  /** The value of a new row that has none, or where it comes from: `$now`, `$member`, …, or `expression`. */
  readonly default?: unknown
  readonly defaultFrom?: string
  /** Set by each change, to its time. */
  readonly onUpdate?: string
  /** How an `enum` changes whose values are the states of a row. */
  readonly states?: {
    /** Those of a new row. */
    readonly initial: readonly string[]
    /** State → those that may follow it. */
    readonly transitions: Readonly<Record<string, readonly string[]>>
    /** State → the roles that may choose it; all without an entry. */
    readonly roles: Readonly<Record<string, readonly string[]>>
  }
}
export interface Collection {
  readonly name: string
  readonly fields: Readonly<Record<string, CollectionField>>
}

/** Where a condition stands in a filter. */
export interface ConditionPlace {
  /** One of the groups must match, with all of its conditions. Undefined for a condition that must match anyway. */
  readonly group?: number
  /** Rows that match all of these conditions of the group, or of the filter, are left out. */
  readonly isExcluded?: true
}
/** A part of a filter: `filter[price][lte]=1000`, `or[0][price][lte]=1000` or `filter[not][price][lte]=1000`. */
export interface Condition extends ConditionPlace {
  /** `price`, or `category.name` for a field of the row that a reference leads to. */
  readonly field: string
  readonly operator: string
}

/** The states that people with these roles may choose for a row whose state is `from`. */
export function nextStates({ states }: CollectionField, from: unknown, roles: readonly string[]): readonly string[] {
  if (!states) return []
  const { initial, transitions } = states
  const next = typeof from === 'string' ? (Object.hasOwn(transitions, from) ? transitions[from] : []) : initial
  return (next ?? []).filter(state => {
    const chosenBy = Object.hasOwn(states.roles, state) ? states.roles[state] : undefined
    return chosenBy === undefined || roles.some(role => role === OWNER || chosenBy.includes(role))
  })
}
const OWNER = 'tenant.owner'

/** Whether nothing follows a state. */
export const isFinal = ({ states }: CollectionField, state: string): boolean =>
  states !== undefined && !(Object.hasOwn(states.transitions, state) && states.transitions[state]?.length)

/** The parameter of the API. */
export function parameterOf({ field, operator, group, isExcluded }: Condition): string {
  const place = `${group === undefined ? 'filter' : `or[${group}]`}${isExcluded ? '[not]' : ''}`
  return `${place}[${field}]${operator === 'eq' ? '' : `[${operator}]`}`
}

/** `filter[price][lte]` → price, lte; undefined for other parameters. */
export function conditionOf(parameter: string): Condition | undefined {
  const [, group, not, field, operator = 'eq'] = PARAMETER.exec(parameter) ?? []
  if (field === undefined) return undefined
  return {
    field,
    operator,
    ...(group !== undefined && { group: Number(group) }),
    ...(not !== undefined && { isExcluded: true }),
  }
}
const PARAMETER = /^(?:filter|or\[(\d{1,3})\])(\[not\])?\[(\w+(?:\.\w+)?)\](?:\[(\w+)\])?$/

/** Groups of one request. */
export const MAX_GROUPS = 10

/** Types whose values are chosen one at a time. */
const SINGLE_TYPES: readonly string[] = ['reference', 'member', 'user', 'boolean', 'date', 'datetime', 'money']
const EQUALITY: readonly string[] = ['eq', 'ne', 'in', 'notIn', 'exists']
const TEXT_TYPES: readonly string[] = ['text', 'longtext', 'markdown', 'slug', 'email', 'url']

/** The operators that a filter offers, the usual one first. Nobody knows the ID of a file or orders texts by code points. */
export function operatorsFor({ type, operators, reference }: CollectionField): readonly string[] {
  const isOffered = (operator: string): boolean => {
    if (type === 'file') return operator === 'exists'
    if (type === 'boolean' && operator === 'ne') return false
    if (type === 'enum') return EQUALITY.includes(operator)
    if (['in', 'notIn'].includes(operator)) return !SINGLE_TYPES.includes(type)
    return !(TEXT_TYPES.includes(type) && ['gt', 'gte', 'lt', 'lte'].includes(operator))
  }
  const offered = operators.filter(isOffered)
  const usual = type === 'datetime' ? 'gte' : reference?.many || offered.includes('contains') ? 'contains' : 'eq'
  return offered.sort((a, b) => Number(b === usual) - Number(a === usual))
}
