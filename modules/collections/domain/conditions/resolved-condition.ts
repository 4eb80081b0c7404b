/** Conditions with their names looked up and their operands parsed: what SQL and memory evaluate. Pure. */
import { WordedError, type Wording, wording } from '@larder-dev/larder/kernel'
import { conditionParts, type Operators, type Scalar, withSuggestion } from '@larder-dev/larder/kernel/internal'
import type { Collection, Collections, Field, SystemField } from '../declarations/collection.ts'
import { SYSTEM_FIELDS } from '../declarations/collection.ts'
import { type Condition, type Subject, type VariableValue, variableOf } from '../declarations/condition.ts'
import { formerNames } from '../declarations/former-names.ts'
import {
  type Comparable,
  dayOf,
  type FieldTypeSpec,
  type Operator,
  SYSTEM_SPECS,
  specOf,
} from '../fields/field-types.ts'
import { testValues } from './value-tests.ts'

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
export type Part = Test | Known | Alternatives | Negation
/** A test of the caller, which no row decides. Undefined: it neither holds nor fails. */
export interface Known {
  readonly holds: boolean | undefined
}
export interface Alternatives {
  readonly or: readonly ResolvedCondition[]
}
export interface Negation {
  readonly not: ResolvedCondition
}

/** Every test of a row, also those within `or` and `not`. */
export const testsOf = (condition: ResolvedCondition): Test[] =>
  condition.flatMap(part => {
    if ('or' in part) return part.or.flatMap(testsOf)
    if ('not' in part) return testsOf(part.not)
    return 'holds' in part ? [] : part
  })

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
export function resolveCondition(
  names: Names,
  collection: Collection,
  condition: Condition,
  subject?: Subject,
): ResolvedCondition {
  const parts = conditionParts(condition).flatMap((part): Part[] => {
    if (part.kind === 'or') {
      const or = openOnes(part.alternatives.map(each => resolveCondition(names, collection, each, subject)))
      return or === 'all' ? [] : or.length === 0 ? NO_ROW : [{ or }]
    }
    if (part.kind === 'not') {
      const not = resolveCondition(names, collection, part.condition, subject)
      return not.length === 0 ? NO_ROW : isNever(not) ? [] : [{ not }]
    }
    const { name, operators } = part
    if (subject && variableOf(name)) return callerParts(subject[name], operators)
    const path = findPath(names, collection, name)
    return Object.entries(operators).map(([operator, operand]) => {
      if (operand === '$member' && isMany(path.field))
        return resolveTest(
          memberPath(names, path, name),
          name,
          operator === 'contains' ? 'eq' : operator,
          operand,
          subject,
        )
      return resolveTest(path, name, oneOf(path, operator), operand, subject)
    })
  })
  const [never] = parts.filter(part => isNever([part]))
  return never ? [never] : parts.filter(part => !('holds' in part && part.holds))
}

const NO_ROW: Known[] = [{ holds: false }]
const isNever = ([part]: ResolvedCondition): boolean => part !== undefined && 'holds' in part && part.holds === false

/** Alternatives without those that no row meets; `all` if every row meets one of them. */
export function openOnes(alternatives: readonly ResolvedCondition[]): 'all' | readonly ResolvedCondition[] {
  if (alternatives.some(each => each.length === 0)) return 'all'
  return alternatives.filter(each => !isNever(each))
}

const isMany = (target: Target): boolean => target.kind === 'field' && target.field.reference?.many === true
/** Over a reference to many rows, an ID is one of several, which `contains` says. */
const oneOf = ({ field, hops }: Path, operator: string): string =>
  operator === 'contains' && !isMany(field) && isId(field) && hops.some(hop => hop.field.reference?.many)
    ? 'eq'
    : operator
const isId = ({ spec }: Target): boolean => spec.operators.includes('eq') && !spec.operators.includes('gt')

/** The only field of type `member` of a collection, by which its rows are people. */
export function memberFieldOf({ fields }: Collection): Field | undefined {
  const [field, ...others] = [...fields.values()].filter(({ type, private: hidden }) => type === 'member' && !hidden)
  return others.length === 0 ? field : undefined
}

/** From a reference to many people, to the member that each of them is. */
function memberPath(names: Names, { field, hops }: Path, key: string): Path {
  const reference = field.kind === 'field' ? field.field : undefined
  const people = reference?.reference && names.collections.get(reference.reference.to)
  const member = people && memberFieldOf(people)
  const target = member && findTarget(names, people, member.name)
  if (!reference || !target) throw new ConditionError('wrong_type', wording('leads to rows without a member'), key)
  return { field: target, hops: [...hops, { field: reference, collection: people }] }
}

/** `{ $plan: pro }`: what the caller is decides, whatever the row. */
const callerParts = (value: VariableValue | undefined, operators: Operators): Known[] =>
  Object.entries(operators).map(([operator, operand]) => ({
    holds: value === undefined ? undefined : testValues(operator as Operator, [operand].flat(), [value].flat()),
  }))

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
  if (LISTS.includes(operator) && !Array.isArray(operand)) throw wrong(wording('must be a list'))
  const values = (LISTS.includes(operator) ? operand : [operand]) as readonly Scalar[]
  const literals = values.flatMap(value => literalOf(value, subject) ?? [])
  if (literals.some(value => path.field.spec.parse(value) === undefined)) throw wrong(describeOperand(path.field))
  const unknown = unknownValue(path.field, operator, literals)
  if (unknown !== undefined) throw wrong(unknown)
  const parsed = values.flatMap(value => parseOperand(path.field, value, subject))
  const known = listOperator(operator, values, subject)
  const operands = knownOperands(known, parsed)
  return { path, operator: known, operands, ...(known === 'in' && parsed.includes(undefined) && { isPartial: true }) }
}
const LISTS: readonly Operator[] = ['in', 'notIn']

/** A variable with several values, such as `$role`, is equal to one of them. */
function listOperator(operator: Operator, [value]: readonly Scalar[], subject: Subject | undefined): Operator {
  if (!subject || !Array.isArray(subject[String(value)])) return operator
  return operator === 'eq' ? 'in' : operator === 'ne' ? 'notIn' : operator
}

/** A value that is undefined, such as `$member` of an anonymous caller, matches nothing, whatever the operator. */
function knownOperands(operator: Operator, operands: readonly (Comparable | undefined)[]) {
  const known = operands.filter(operand => operand !== undefined)
  if (operator === 'in') return known
  return known.length === operands.length ? known : undefined
}

/** Undefined for a variable. A subject has the parameters of a page, too, whose values are no variables. */
function literalOf(value: Scalar, subject: Subject | undefined): Scalar | undefined {
  if (!subject || typeof value !== 'string') return value
  if (variableOf(value)) return undefined
  return Object.hasOwn(subject, value) ? (subject[value] as Scalar) : value
}

type Operand = Comparable | undefined
/** Undefined for a variable without a value, and for one whose value the field can't have. */
function parseOperand(target: Target, value: Scalar, subject: Subject | undefined): Operand | Operand[] {
  const literal = literalOf(value, subject)
  if (literal !== undefined) return target.spec.parse(literal)
  const found = subject?.[String(value)]
  if (found === undefined) return undefined
  const isDate =
    target.kind === 'field' &&
    (target.field.type === 'date' || target.field.computed?.of === 'date') &&
    value === '$now'
  const values = [isDate ? dayOf(String(found)) : found].flat() as Scalar[]
  const parsed = values.map(each => target.spec.parse(each))
  return Array.isArray(found) ? parsed.filter(each => each !== undefined) : parsed[0]
}

/** Describes a value that no row can have in an enum field. Parts of values are free. */
function unknownValue(
  { field, kind }: { readonly kind: Target['kind']; readonly field?: Field },
  operator: Operator,
  operands: readonly Scalar[],
): Wording | undefined {
  const values = kind === 'field' ? field?.values : undefined
  if (!values || PARTS.includes(operator)) return undefined
  const unknown = operands.find(operand => !values.some(value => value === operand))
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
