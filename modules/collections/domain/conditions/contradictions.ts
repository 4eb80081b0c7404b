/** Finds conditions of access rules that no row meets. Pure. */
import type { Operators } from '@larder-dev/larder/kernel/internal'
import type { Collection, Collections } from '../declarations/collection.ts'
import type { Condition } from '../declarations/condition.ts'
import type { Comparable } from '../fields/field-types.ts'
import { compareValues, passes } from './condition-match.ts'
import type { ConditionError } from './condition-validation.ts'
import { resolveCondition, type Test } from './resolved-condition.ts'

/** @param anonymous of people who are not signed in: they have neither `$member` nor `$user`. */
export function contradictions(
  condition: Condition,
  collection: Collection,
  collections: Collections,
  { anonymous }: { readonly anonymous: boolean },
): ConditionError[] {
  return Object.entries(condition).flatMap(([name, given]): ConditionError[] => {
    const operators: Operators = typeof given === 'object' ? given : { eq: given }
    const unknown = anonymous ? unknownVariable(operators) : undefined
    const path = [name]
    if (unknown !== undefined)
      return [
        never(path, `People who are not signed in have no ${unknown}, so no row meets the condition on "${name}"`, {
          hint: 'Move the condition to a role',
        }),
      ]
    const fixed = Object.entries(operators).filter(([, operand]) => ![operand].flat().some(isVariable))
    const tests = resolveCondition({ collections }, collection, { [name]: Object.fromEntries(fixed) })
    return isPossible(tests) ? [] : [never(path, `No row meets the condition on "${name}"`)]
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
function unknownVariable(operators: Operators): string | undefined {
  const isUnknown = (value: unknown) => value === '$member' || value === '$user'
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
  const { field, hop } = first.path
  const own = field.kind === 'field' ? field.field : undefined
  // Several references can pass different tests.
  if (own?.reference?.many || hop?.field.reference?.many) return true
  const isAlwaysSet =
    hop === undefined && (field.kind === 'system' ? field.name !== 'createdBy' : own?.required === true)
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
