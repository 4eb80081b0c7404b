/** Conditions with their names looked up and their operands parsed: what SQL and memory evaluate. Pure. */
import { WordedError, type Wording, wording } from '@larder-dev/larder/kernel'
import { conditionParts, type Scalar, withSuggestion } from '@larder-dev/larder/kernel/internal'
import type { Collection, Collections, Field, SystemField } from '../declarations/collection.ts'
import { SYSTEM_FIELDS } from '../declarations/collection.ts'
import { type Condition, type Subject, variableOf } from '../declarations/condition.ts'
import { formerNames } from '../declarations/former-names.ts'
import {
  type Comparable,
  dayOf,
  type FieldTypeSpec,
  type Operator,
  SYSTEM_SPECS,
  specOf,
} from '../fields/field-types.ts'

/** A field of a row, or of the row or rows that references lead to. */
export interface Path {
  readonly field: Target
  /** The references that lead to the row of `field`, in order. */
  readonly hops: readonly Hop[]
}
/** A reference, and the collection that it leads to. */
export interface Hop {
  readonly field: Field
  readonly collection: Collection
}
/** References that a condition can follow. */
export const MAX_HOPS = 3
export type Target =
  | { readonly kind: 'system'; readonly name: SystemField; readonly column: string; readonly spec: FieldTypeSpec }
  | {
      readonly kind: 'field'
      readonly field: Field
      /** The former name of the field, if the caller uses that one. */
      readonly former?: string
      readonly column: string
      readonly spec: FieldTypeSpec
    }

/** One operator on one field. */
export interface Test {
  readonly path: Path
  readonly operator: Operator
  /** One value, except for `in` and `notIn`. Undefined: the test fails for every row. */
  readonly operands: readonly Comparable[] | undefined
  /** Whether the list of `in` had a value that is unknown, so that nothing can be said to lie outside of it. */
  readonly isPartial?: true
}
/** All parts must pass. */
export type ResolvedCondition = readonly Part[]
export type Part = Test | Alternatives | Negation
export interface Alternatives {
  readonly or: readonly ResolvedCondition[]
}
export interface Negation {
  readonly not: ResolvedCondition
}

/** Every test of a condition, also those within `or` and `not`. */
export const testsOf = (condition: ResolvedCondition): Test[] =>
  condition.flatMap(part => ('or' in part ? part.or.flatMap(testsOf) : 'not' in part ? testsOf(part.not) : part))

/** A name, an operator or an operand of a condition is wrong. */
export class ConditionError extends WordedError {
  readonly code: 'unknown_field' | 'unknown_operator' | 'wrong_type'
  /** The key of the condition. */
  readonly key: string
  readonly operator: string | undefined
  /** @param text the end of a sentence that begins with the field. */
  constructor(code: ConditionError['code'], text: Wording, key: string, operator?: string) {
    super(text)
    this.code = code
    this.key = key
    this.operator = operator
  }
}

/** Finds the fields that a condition may name. */
export interface Names {
  readonly collections: Collections
  /** False for fields that are treated as unknown. By default, every field may be named. */
  readonly allows?: (collection: Collection, field: Field | SystemField) => boolean
}

const SYSTEM_COLUMNS: Readonly<Record<SystemField, string>> = {
  id: 'id',
  createdAt: 'created_at',
  updatedAt: 'updated_at',
  createdBy: 'created_by',
  revision: 'revision',
}
export const SYSTEM_TARGETS: Readonly<Record<SystemField, Target>> = Object.fromEntries(
  SYSTEM_FIELDS.map(name => [name, { kind: 'system', name, column: SYSTEM_COLUMNS[name], spec: SYSTEM_SPECS[name] }]),
) as Record<SystemField, Target>

/** Undefined for an unknown field. */
export function findTarget(names: Pick<Names, 'allows'>, collection: Collection, name: string): Target | undefined {
  const system = Object.hasOwn(SYSTEM_TARGETS, name) ? SYSTEM_TARGETS[name as SystemField] : undefined
  const current = collection.fields.get(name)
  const field = current ?? formerNames(collection).get(name)
  const known = system ? (name as SystemField) : field
  if (known === undefined || names.allows?.(collection, known) === false) return undefined
  if (system || !field) return system
  return { kind: 'field', field, ...(!current && { former: name }), column: field.column, spec: specOf(field) }
}

/** Names that the caller may use, for suggestions. */
const fieldNames = (names: Pick<Names, 'allows'>, collection: Collection): string[] =>
  [...SYSTEM_FIELDS, ...collection.fields.keys()].filter(name => findTarget(names, collection, name) !== undefined)

export const unknownName = (names: Pick<Names, 'allows'>, collection: Collection, name: string): Wording =>
  withSuggestion(wording('names an unknown field: {name}', { name }), name, fieldNames(names, collection))

const unknownField = (names: Names, collection: Collection, key: string, prefix = ''): ConditionError => {
  const known = fieldNames(names, collection).map(name => `${prefix}${name}`)
  return new ConditionError('unknown_field', withSuggestion(wording('is not a known field'), key, known), key)
}

/** `title`, or `category.name` over references. Throws a ConditionError. */
export function findPath(names: Names, collection: Collection, key: string): Path {
  const steps = key.split('.')
  const last = steps.pop() ?? ''
  if (steps.length > MAX_HOPS) throw unknownField(names, collection, key)
  const hops: Hop[] = []
  let at = collection
  for (const [index, step] of steps.entries()) {
    const target = findTarget(names, at, step)
    const reference = target?.kind === 'field' ? target.field.reference : undefined
    const other = reference && names.collections.get(reference.to)
    if (target?.kind !== 'field' || !other) throw unknownField(names, at, key, prefixOf(steps.slice(0, index)))
    hops.push({ field: target.field, collection: other })
    at = other
  }
  const field = findTarget(names, at, last)
  if (!field) throw unknownField(names, at, key, prefixOf(steps))
  return { field, hops }
}
const prefixOf = (steps: readonly string[]): string => steps.map(step => `${step}.`).join('')

/**
 * Throws a ConditionError for an unknown field or operator and for an operand of another type.
 * @param subject the values of `$member` and the like. Without it, a text that begins with `$` is a plain text.
 */
export const resolveCondition = (
  names: Names,
  collection: Collection,
  condition: Condition,
  subject?: Subject,
): ResolvedCondition =>
  conditionParts(condition).flatMap((part): Part[] => {
    if (part.kind === 'or') {
      const or = part.alternatives.map(each => resolveCondition(names, collection, each, subject))
      // An empty one matches every row.
      return or.some(each => each.length === 0) ? [] : [{ or }]
    }
    if (part.kind === 'not') return [{ not: resolveCondition(names, collection, part.condition, subject) }]
    const path = findPath(names, collection, part.name)
    return Object.entries(part.operators).map(([operator, operand]) =>
      resolveTest(path, part.name, operator, operand, subject),
    )
  })

const isOperator = (name: string, { spec }: Target): name is Operator => spec.operators.some(known => known === name)

export function resolveTest(path: Path, key: string, operator: string, operand: unknown, subject?: Subject): Test {
  if (!isOperator(operator, path.field))
    throw new ConditionError(
      'unknown_operator',
      wording('supports {operators}', { operators: path.field.spec.operators }),
      key,
      operator,
    )
  const wrong = (text: Wording) => new ConditionError('wrong_type', text, key, operator)
  if (operator === 'exists') {
    const wanted = operand === 'true' ? true : operand === 'false' ? false : operand
    if (typeof wanted !== 'boolean') throw wrong(wording('must be true or false'))
    return { path, operator, operands: [wanted] }
  }
  const isList = operator === 'in' || operator === 'notIn'
  if (isList && !Array.isArray(operand)) throw wrong(wording('must be a list'))
  const values = (isList ? operand : [operand]) as readonly Scalar[]
  const parsed = values.map(value => parseOperand(path.field, value, subject))
  if (parsed.includes(INVALID)) throw wrong(describeOperand(path.field))
  const unknown = unknownValue(path.field, operator, values, subject)
  if (unknown !== undefined) throw wrong(unknown)
  const operands = knownOperands(operator, parsed as (Comparable | undefined)[])
  return { path, operator, operands, ...(operator === 'in' && parsed.includes(undefined) && { isPartial: true }) }
}

/** A value that is undefined, such as `$member` of an anonymous caller, matches nothing, whatever the operator. */
function knownOperands(operator: Operator, operands: readonly (Comparable | undefined)[]) {
  const known = operands.filter(operand => operand !== undefined)
  if (operator === 'in') return known
  return known.length === operands.length ? known : undefined
}

const INVALID = Symbol('invalid')

/** Undefined for a variable without a value. */
function parseOperand(
  target: Target,
  value: unknown,
  subject: Subject | undefined,
): Comparable | undefined | typeof INVALID {
  const variable = subject && variableOf(value)
  if (!variable) return target.spec.parse(value) ?? INVALID
  const found = subject[variable]
  if (found === undefined) return undefined
  const isDate = target.kind === 'field' && target.field.type === 'date' && variable === '$now'
  return target.spec.parse(isDate ? dayOf(found) : found) ?? INVALID
}

/** Describes a value that no row can have in an enum field. Parts of values are free. */
function unknownValue(
  { field, kind }: { readonly kind: Target['kind']; readonly field?: Field },
  operator: Operator,
  operands: readonly Scalar[],
  subject: Subject | undefined,
): Wording | undefined {
  const values = kind === 'field' ? field?.values : undefined
  if (!values || PARTS.includes(operator)) return undefined
  const isKnown = (operand: Scalar) =>
    values.some(value => value === operand) || (subject !== undefined && variableOf(operand) !== undefined)
  const unknown = operands.find(operand => !isKnown(operand))
  if (unknown === undefined) return undefined
  return withSuggestion(wording('must be one of {choices}', { choices: values }), String(unknown), values)
}
const PARTS: readonly Operator[] = ['contains', 'startsWith', 'endsWith']

function describeOperand({ spec }: Target): Wording {
  const { type, format, examples } = spec.schema as { type?: string; format?: string; examples?: readonly string[] }
  if (examples?.[0] !== undefined) return wording('must be a value such as {example}', { example: examples[0] })
  if (format === 'date-time') return wording('must be a time such as 2026-01-31T12:00:00Z')
  if (format === 'date') return wording('must be a date such as 2026-01-31')
  if (type === 'boolean') return wording('must be true or false')
  if (type === 'integer') return wording('must be an integer')
  return type === 'number' ? wording('must be a number') : wording('must be a text')
}
