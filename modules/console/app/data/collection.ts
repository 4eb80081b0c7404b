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
}
export interface Collection {
  readonly name: string
  readonly fields: Readonly<Record<string, CollectionField>>
}

/** A part of a filter: `filter[price][lte]=1000`. */
export interface Condition {
  readonly field: string
  readonly operator: string
}

/** The parameter of the API. */
export const parameterOf = ({ field, operator }: Condition): string =>
  operator === 'eq' ? `filter[${field}]` : `filter[${field}][${operator}]`

/** `filter[price][lte]` → price, lte; undefined for other parameters. */
export function conditionOf(parameter: string): Condition | undefined {
  const [, field, operator = 'eq'] = /^filter\[(\w+)\](?:\[(\w+)\])?$/.exec(parameter) ?? []
  return field === undefined ? undefined : { field, operator }
}

/** Types whose values are chosen one at a time. */
const SINGLE_TYPES: readonly string[] = ['reference', 'member', 'user', 'boolean', 'date', 'datetime', 'money']
const TEXT_TYPES: readonly string[] = ['text', 'longtext', 'markdown', 'slug', 'email', 'url']

/** The operators that a filter offers, the usual one first. Nobody knows the ID of a file or orders texts by code points. */
export function operatorsFor({ type, operators, reference }: CollectionField): readonly string[] {
  const isOffered = (operator: string): boolean => {
    if (type === 'file') return operator === 'exists'
    if (type === 'boolean' && operator === 'ne') return false
    if (['in', 'notIn'].includes(operator)) return !SINGLE_TYPES.includes(type)
    return !(TEXT_TYPES.includes(type) && ['gt', 'gte', 'lt', 'lte'].includes(operator))
  }
  const usual = type === 'datetime' ? 'gte' : reference?.many || operators.includes('contains') ? 'contains' : 'eq'
  return operators.filter(isOffered).sort((a, b) => Number(b === usual) - Number(a === usual))
}
