/** Conditions of triggers and steps: `{ row.priority: high, steps.answer.choice: approve }`. Pure. */
import { byNames } from '@larder-dev/larder/kernel'
import { conditionParts, type Operators } from '@larder-dev/larder/kernel/internal'
import type { DeclaredCondition } from '../definition/declared.ts'
import { type Path, pathsIn } from './expression.ts'
import { type Offer, resolveText, valueAt } from './resolve.ts'

/** The paths that a condition tests. */
export const testedPaths = (condition: DeclaredCondition): Path[] =>
  conditionParts(condition).flatMap(part => {
    if (part.kind === 'not') return testedPaths(part.condition)
    return part.kind === 'or' ? part.alternatives.flatMap(testedPaths) : [part.name.split('.')]
  })
/** The paths that a condition reads: those that it tests, and those of its operands. */
export const pathsOf = (condition: DeclaredCondition): Path[] => [
  ...testedPaths(condition),
  ...pathsIn(Object.values(condition)),
]

export const matches = (condition: DeclaredCondition, offer: Offer): boolean =>
  conditionParts(condition).every(part => {
    if (part.kind === 'not') return !matches(part.condition, offer)
    if (part.kind === 'or') return part.alternatives.some(each => matches(each, offer))
    return passes(valueAt(offer, part.name.split('.')), part.operators, offer)
  })

const passes = (value: unknown, operators: Operators, offer: Offer): boolean =>
  Object.entries(operators).every(([operator, operand]) =>
    TESTS[operator as keyof Operators](listOf(value), operandOf(operand, offer)),
  )

/** Operands can be values of the run: `{ row.amount: { gt: $input.limit } }`. */
const operandOf = (operand: unknown, offer: Offer): unknown =>
  typeof operand === 'string'
    ? resolveText(operand, offer)
    : Array.isArray(operand)
      ? operand.map(each => operandOf(each, offer))
      : operand

/** A list is several values. Missing values are none. */
const listOf = (value: unknown): readonly unknown[] =>
  value === null || value === undefined ? [] : Array.isArray(value) ? value : [value]

type Test = (values: readonly unknown[], operand: unknown) => boolean

const ordered =
  (passes: (order: number) => boolean): Test =>
  (values, operand) =>
    operand !== null && values.some(value => typeof value === typeof operand && passes(compare(value, operand)))

/** Times have the order of their moments: a recipe writes them without milliseconds, and others with their own zone. */
function compare(a: unknown, b: unknown): number {
  const [left, right] = [comparable(a), comparable(b)]
  if (typeof left === 'number' && typeof right === 'number') return left - right
  return typeof a === 'string' && typeof b === 'string' ? byNames(a, b) : Number(a) - Number(b)
}
const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:\d\d)$/i
const comparable = (value: unknown): unknown =>
  typeof value === 'string' && TIME.test(value) ? Date.parse(value) : value

const eq: Test = (values, operand) => values.some(value => comparable(value) === comparable(operand))
const isIn: Test = (values, operand) => Array.isArray(operand) && operand.some(each => eq(values, each))
const some =
  (passes: (value: string, operand: string) => boolean): Test =>
  (values, operand) =>
    operand !== null && values.some(value => passes(String(value), String(operand)))

/** `ne`, `notIn` and `exists: false` pass without a value. */
const TESTS: Readonly<Record<keyof Operators, Test>> = {
  eq,
  ne: (values, operand) => !eq(values, operand),
  in: isIn,
  notIn: (values, operand) => !isIn(values, operand),
  gt: ordered(order => order > 0),
  gte: ordered(order => order >= 0),
  lt: ordered(order => order < 0),
  lte: ordered(order => order <= 0),
  contains: (values, operand) =>
    values.includes(operand) || some((value, part) => value.includes(part))(values, operand),
  startsWith: some((value, part) => value.startsWith(part)),
  endsWith: some((value, part) => value.endsWith(part)),
  exists: (values, operand) => values.length > 0 === operand,
}
