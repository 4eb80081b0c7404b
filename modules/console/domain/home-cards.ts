/** Cards of the home screen as parameters of the API. Pure. */
import type { CardFilter, Scalar } from '../options.ts'

/** A parameter of a list. A list of values is several parameters of one name. */
export interface FilterParameter {
  readonly name: string
  readonly value: string
}

/** What a filter says of the reader and of the time. */
export type Variables = Readonly<Record<(typeof VARIABLES)[number], string>>
export const VARIABLES = ['$member', '$user', '$today', '$now'] as const

const isVariable = (value: Scalar): value is keyof Variables => VARIABLES.includes(value as never)

/** Values that begin with `$` and that no variable has. */
export const unknownVariables = (filter: CardFilter): string[] =>
  valuesOf(filter).filter((value): value is string => String(value).startsWith('$') && !isVariable(value))

const valuesOf = (filter: CardFilter): Scalar[] =>
  Object.values(filter).flatMap(given => (typeof given === 'object' ? Object.values(given).flat() : [given]))

export const filterParameters = (filter: CardFilter, variables: Variables): FilterParameter[] =>
  Object.entries(filter).flatMap(([field, given]) =>
    Object.entries(typeof given === 'object' ? given : { eq: given }).flatMap(([operator, values]) => {
      const list = Array.isArray(values) ? (values as readonly Scalar[]) : [values as Scalar]
      const name = operator === 'eq' ? `filter[${field}]` : `filter[${field}][${operator}]`
      // A list in one parameter would be split at its commas.
      const repeated = Array.isArray(values) && list.length === 1 ? [...list, ...list] : list
      return repeated.map(value => ({ name, value: isVariable(value) ? variables[value] : String(value) }))
    }),
  )

/** The same as an object, in which a name with several values has a list. */
export function asQuery(parameters: readonly FilterParameter[]): Record<string, string | readonly string[]> {
  const query: Record<string, string | readonly string[]> = {}
  for (const { name, value } of parameters) {
    const former = query[name]
    query[name] = former === undefined ? value : [former, value].flat()
  }
  return query
}
