/** Reads `filter[field][operator]`, `or[0][field][operator]` and `filter[not][field]` of a query. Pure. */
import { wording } from '@larder-dev/larder/kernel'
import { conditionParts, MAX_CONDITION_DEPTH, textError } from '@larder-dev/larder/kernel/internal'
import {
  ConditionError,
  findPath,
  type Part,
  type ResolvedCondition,
  resolveTest,
  type Test,
} from '../conditions/resolved-condition.ts'
import type { Collection } from '../declarations/collection.ts'
import type { Condition } from '../declarations/condition.ts'
import type { View } from '../rights/view.ts'
import { badParameter, badValue } from './parameter-errors.ts'

/** Conditions of one request, alternatives included. */
const MAX_FILTER_CONDITIONS = 30
const MAX_ALTERNATIVES = 10
/** Values of `in` and `notIn`. */
const MAX_LIST_VALUES = 200
/** Characters. */
const MAX_OPERAND_LENGTH = 1000

/** All of `filter` and, if there are any, one of the alternatives. */
export interface Filters {
  readonly filter: ResolvedCondition
  readonly alternatives: readonly ResolvedCondition[]
}

export type Query = Readonly<Record<string, unknown>>

/** `filter`, or the group of `or`; the words and groups within it; the field and its operator. */
const FILTER = /^(?:filter|or\[(\d{1,3})\])((?:\[not\]|\[or\]\[\d{1,3}\])*)\[([^[\]]+)\](?:\[([^[\]]+)\])?$/
const WORD = /\[(?:not|or\]\[(\d{1,3}))\]/g
/** JSON Schema pattern of the parameters that `parseFilters` reads. */
export const FILTER_PARAMETER_PATTERN = '^(filter|or)\\['

/** What the parameters with the same words and groups say. */
interface Branch {
  readonly tests: Test[]
  readonly groups: Map<string, Branch>
  not?: Branch
}
const newBranch = (): Branch => ({ tests: [], groups: new Map() })

/** Fields that the caller can't read are unknown. Throws `malformed` and `validation_failed`. */
export function parseFilters(view: View, collection: Collection, query: Query): Filters {
  const filter = newBranch()
  const alternatives = newBranch()
  let count = 0
  for (const [name, value] of Object.entries(query)) {
    if (!name.startsWith('filter[') && !name.startsWith('or[')) continue
    if (++count > MAX_FILTER_CONDITIONS)
      throw badParameter(
        name,
        'too_many',
        wording('is one of more than {count} conditions', { count: MAX_FILTER_CONDITIONS }),
      )
    const [, group, words = '', key, operator] = FILTER.exec(name) ?? []
    if (key === undefined || key === 'not' || key === 'or')
      throw badParameter(name, 'wrong_format', wording('must be filter[field][operator] or or[0][field][operator]'))
    const steps = [...words.matchAll(WORD)].map(([, index]) => index)
    if (steps.length > MAX_CONDITION_DEPTH)
      throw badParameter(name, 'too_many', wording('is nested more than {count} deep', { count: MAX_CONDITION_DEPTH }))
    const start = group === undefined ? filter : groupOf(alternatives, group)
    branchAt(start, steps).tests.push(parseTest(view, collection, name, key, operator, value))
  }
  return { filter: partsOf(filter), alternatives: [...alternatives.groups.values()].map(partsOf) }
}

/** @param steps the index of each group, or undefined for `not`. */
const branchAt = (start: Branch, steps: readonly (string | undefined)[]): Branch =>
  steps.reduce((branch, index) => {
    if (index !== undefined) return groupOf(branch, index)
    branch.not ??= newBranch()
    return branch.not
  }, start)

function groupOf({ groups }: Branch, index: string): Branch {
  const group = groups.get(index) ?? newBranch()
  groups.set(index, group)
  if (groups.size > MAX_ALTERNATIVES)
    throw badParameter('or', 'too_many', wording('has more than {count} alternatives', { count: MAX_ALTERNATIVES }))
  return group
}

const partsOf = ({ tests, groups, not }: Branch): Part[] => [
  ...tests,
  ...(groups.size > 0 ? [{ or: [...groups.values()].map(partsOf) }] : []),
  ...(not ? [{ not: partsOf(not) }] : []),
]

function parseTest(
  view: View,
  collection: Collection,
  name: string,
  key: string,
  operator = 'eq',
  value: unknown,
): Test {
  try {
    const path = findPath(view, collection, key)
    return resolveTest(path, key, operator, parseOperand(name, operator, value))
  } catch (error) {
    if (!(error instanceof ConditionError)) throw error
    throw error.code === 'wrong_type'
      ? badValue(name, error.code, error.wording)
      : badParameter(name, error.code, error.wording)
  }
}

/** A condition as parameters of a list. Every value is outside an empty list, so `notIn: []` is left out. */
export const filterParameters = (filter: Condition, prefix = 'filter'): Record<string, string | readonly string[]> =>
  Object.assign(
    {},
    ...conditionParts(filter).map(part => {
      if (part.kind === 'not') return filterParameters(part.condition, `${prefix}[not]`)
      if (part.kind === 'or')
        return Object.assign({}, ...part.alternatives.map((each, at) => filterParameters(each, `${prefix}[or][${at}]`)))
      return Object.fromEntries(
        Object.entries(part.operators)
          .filter(([operator, value]) => operator !== 'notIn' || !isEmptyList(value))
          .map(([operator, value]) => [
            `${prefix}[${part.name}][${operator}]`,
            Array.isArray(value) ? listParameter(value) : String(value),
          ]),
      )
    }),
  )

export const isEmptyList = (value: unknown): boolean => Array.isArray(value) && value.length === 0

/** A list as a parameter: one that occurs once would be split at its commas, so a single value is repeated. */
const listParameter = (values: readonly unknown[]): readonly string[] =>
  (values.length === 1 ? [...values, ...values] : values).map(String)

/** `a,"b, c"` → `a` and `b, c`. A quote within quotes is doubled, as in CSV. */
function splitList(text: string): string[] {
  if (!text.includes('"')) return text.split(',')
  return [...text.matchAll(QUOTED_OR_PLAIN)].map(([, quoted, plain = '']) => quoted?.replaceAll('""', '"') ?? plain)
}
const QUOTED_OR_PLAIN = /(?:^|,)(?:"((?:[^"]|"")*)"(?=,|$)|([^,]*))/g

/** A list is separated by commas, or is a repeated parameter. Its values may then contain commas; otherwise in quotes. */
function parseOperand(name: string, operator: string, value: unknown): unknown {
  const values = (Array.isArray(value) ? value : [value]).map(String)
  const long = values.some(text => text.length > MAX_OPERAND_LENGTH && operator !== 'in' && operator !== 'notIn')
  if (long)
    throw badValue(name, 'too_long', wording('must have at most {count} characters', { count: MAX_OPERAND_LENGTH }))
  const unstorable = values.map(textError).find(Boolean)
  if (unstorable) throw badValue(name, 'not_allowed', unstorable)
  if (operator !== 'in' && operator !== 'notIn') {
    if (values.length > 1) throw badValue(name, 'duplicate', wording('must occur once'))
    return values[0]
  }
  const list = values.length > 1 ? values : splitList(values[0] as string)
  if (list.length > MAX_LIST_VALUES)
    throw badValue(name, 'too_many', wording('must have at most {count} values', { count: MAX_LIST_VALUES }))
  return list
}
