/** Finds conditions of access rules that no row meets. Pure. */
import { conditionParts, type Operators } from '@larder-dev/larder/kernel/internal'
import type { Collection, Collections } from '../declarations/collection.ts'
import type { Condition } from '../declarations/condition.ts'
import type { Comparable } from '../fields/field-types.ts'
import { passes } from './condition-match.ts'
import type { ConditionError } from './condition-validation.ts'
import { resolveCondition, type Test, testsOf } from './resolved-condition.ts'
import { compareValues } from './value-tests.ts'

interface Readers {
  /** Whether the rule is for people who are not signed in, who have no `$member`, for example. */
  readonly anonymous: boolean
  /** Whether it is for people of other workspaces, whose roles don't count. */
  readonly others: boolean
}

export function contradictions(
  condition: Condition,
  collection: Collection,
  collections: Collections,
  readers: Readers,
  isNegated = false,
): ConditionError[] {
  const within = (inner: Condition, path: ConditionError['path'], negated: boolean) =>
    contradictions(inner, collection, collections, readers, negated).map(error => ({
      ...error,
      path: [...path, ...error.path],
    }))
  return conditionParts(condition).flatMap((part): ConditionError[] => {
    if (part.kind === 'not') return within(part.condition, ['not'], !isNegated)
    if (part.kind === 'or') return part.alternatives.flatMap((each, index) => within(each, ['or', index], isNegated))
    const { name, operators } = part
    const path = [name]
    const unknown = unknownVariable(name, operators, readers)
    if (unknown !== undefined) {
      const who = readers.anonymous ? 'People who are not signed in' : "Members of other workspaces than the operator's"
      return [
        never(path, `${who} have no ${unknown}, so no row meets the condition on "${name}"`, {
          hint: readers.anonymous
            ? 'Move the condition to a role'
            : "Name a role, which counts in the operator's workspace",
        }),
      ]
    }
    if (name.startsWith('$')) return []
    const fixed = Object.entries(operators).filter(([, operand]) => ![operand].flat().some(isVariable))
    const tests = testsOf(resolveCondition({ collections }, collection, { [name]: Object.fromEntries(fixed) }))
    if (isPossible(tests)) return []
    const message = `No row meets the condition on "${name}"`
    return [never(path, isNegated ? `${message}, so not opens every row` : message)]
  })
}

const never = (path: readonly string[], message: string, more: { hint?: string } = {}): ConditionError => ({
  path,
  code: 'invalid_condition',
  message,
  hint: 'Correct the values, or remove the rule',
  ...more,
})

const isVariable = (value: unknown): boolean => typeof value === 'string' && value.startsWith('$')

/** A variable without a value matches nothing, whatever the operator; a list may have other values. */
function unknownVariable(name: string, operators: Operators, { anonymous, others }: Readers): string | undefined {
  const isUnknown = (value: unknown) =>
    isVariable(value) && (anonymous ? value !== '$tenant' && value !== '$now' : others && value === '$role')
  if (isUnknown(name)) return name
  for (const [operator, operand] of Object.entries(operators)) {
    const values: unknown[] = [operand].flat()
    const found = operator === 'in' ? values.every(isUnknown) : values.some(isUnknown)
    if (found) return String(values.find(isUnknown))
  }
  return undefined
}

/** Whether a row can pass all tests of one field. */
function isPossible(tests: readonly Test[]): boolean {
  const [first] = tests
  if (!first) return true
  const { field, hops } = first.path
  const own = field.kind === 'field' ? field.field : undefined
  // Several references can pass different tests.
  if (own?.reference?.many || hops.some(hop => hop.field.reference?.many)) return true
  const isAlwaysSet =
    hops.length === 0 && (field.kind === 'system' ? field.name !== 'createdBy' : own?.required === true)
  if (!isAlwaysSet && tests.every(test => passes(test, []))) return true
  return candidates(tests).some(value => tests.every(test => value === ANY || passes(test, [value])))
}

const ANY = Symbol('any value')

/** Values of which one passes if any does. */
function candidates(tests: readonly Test[]): (Comparable | typeof ANY)[] {
  const exact = tests.find(({ operator }) => operator === 'eq' || operator === 'in')
  if (exact?.operands) return [...exact.operands]
  const { field } = (tests[0] as Test).path
  if (field.kind === 'field' && field.field.values) return [...field.field.values]
  if (field.spec.schema.type === 'boolean') return [true, false]
  if (tests.some(({ operator, operands }) => operator === 'exists' && operands?.[0] === false)) return []
  return isEmptyRange(tests) ? [] : [ANY]
}

function isEmptyRange(tests: readonly Test[]): boolean {
  const bounds = (operators: readonly string[]) =>
    tests.flatMap(({ operator, operands }) =>
      operators.includes(operator) && operands?.[0] !== undefined ? [{ operator, value: operands[0] }] : [],
    )
  return bounds(['gt', 'gte']).some(lower =>
    bounds(['lt', 'lte']).some(upper => {
      const order = compareValues(lower.value, upper.value)
      return order > 0 || (order === 0 && (lower.operator === 'gt' || upper.operator === 'lt'))
    }),
  )
}
