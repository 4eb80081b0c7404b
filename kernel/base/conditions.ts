/** The condition language of access rules, filters, automations and feature flags, and its JSON Schemas. */

import { isRecord } from './fields.ts'

export type Scalar = string | number | boolean
/** All operators must match. */
export interface Operators {
  readonly eq?: Scalar
  readonly ne?: Scalar
  readonly in?: readonly Scalar[]
  readonly notIn?: readonly Scalar[]
  readonly gt?: number | string
  readonly gte?: number | string
  readonly lt?: number | string
  readonly lte?: number | string
  readonly contains?: Scalar
  readonly startsWith?: string
  readonly endsWith?: string
  readonly exists?: boolean
}

const MAX_TEXT_LENGTH = 1000
const scalar = { type: ['string', 'number', 'boolean'], maxLength: MAX_TEXT_LENGTH }
const text = { type: 'string', minLength: 1, maxLength: MAX_TEXT_LENGTH }
const comparable = { type: ['number', 'string'], maxLength: MAX_TEXT_LENGTH }
const scalars = { type: 'array', minItems: 1, maxItems: 1000, items: scalar }
const operatorsWith = (offered: object): Record<keyof Operators, object> => ({
  eq: { ...scalar, ...offered },
  ne: { ...scalar, ...offered },
  in: scalars,
  notIn: scalars,
  gt: { ...comparable, ...offered },
  gte: { ...comparable, ...offered },
  lt: { ...comparable, ...offered },
  lte: { ...comparable, ...offered },
  contains: { ...scalar, ...offered },
  startsWith: text,
  endsWith: text,
  exists: { type: 'boolean' },
})
const OPERATORS = operatorsWith({})

/**
 * JSON Schema of a condition: a value, or operators that must all match. It has no alternatives, so that an invalid
 * condition gets one error. @param more schemas of additional operators. @param values those that editors offer.
 */
export const conditionSchema = <More extends string = never>(
  more: Record<More, object> = {} as Record<More, object>,
  values: readonly string[] = [],
) => {
  const offered = values.length > 0 ? { examples: values } : {}
  const operators = values.length > 0 ? operatorsWith(offered) : OPERATORS
  return {
    type: ['string', 'number', 'boolean', 'object'],
    maxLength: MAX_TEXT_LENGTH,
    minProperties: 1,
    additionalProperties: false,
    properties: { ...operators, ...more },
    ...offered,
  }
}

/** What editors offer in conditions beside the names of the product. */
export interface OfferedWords {
  /** Name of a value → what it is. */
  readonly names?: Readonly<Record<string, string>>
  readonly values?: readonly string[]
}

/**
 * Name of a value → value or operators; all must match. Of the conditions of `or` one must match, and that of `not` must
 * not. No value has these two names.
 */
export interface Conditions {
  readonly [name: string]: Scalar | Operators | Conditions | readonly Conditions[]
}

/** How deep `or` and `not` can be nested. */
export const MAX_CONDITION_DEPTH = 3
const MAX_ALTERNATIVES = 10

export type ConditionPart =
  | { readonly kind: 'value'; readonly name: string; readonly operators: Operators }
  | { readonly kind: 'or'; readonly alternatives: readonly Conditions[] }
  | { readonly kind: 'not'; readonly condition: Conditions }

/** The parts of a condition, all of which must match. */
export const conditionParts = (condition: Conditions): ConditionPart[] =>
  Object.entries(condition).map(([name, given]): ConditionPart => {
    if (name === 'or' && isList(given)) return { kind: 'or', alternatives: given }
    if (!isRecord(given)) return { kind: 'value', name, operators: { eq: given as Scalar } }
    if (name === 'not') return { kind: 'not', condition: given as Conditions }
    return { kind: 'value', name, operators: given as Operators }
  })
const isList = (given: Conditions[string]): given is readonly Conditions[] => Array.isArray(given)

/**
 * JSON Schema of a condition with `or` and `not`. What is nested deeper than once is left to `conditionShape`, so that the
 * schema stays small.
 */
export function conditionsSchema(maxProperties: number, { names = {}, values = [] }: OfferedWords = {}) {
  const object = { type: 'object', minProperties: 1, maxProperties }
  const condition = conditionSchema({}, values)
  const offered = Object.fromEntries(
    Object.entries(names).map(([name, description]) => [name, { ...conditionSchema(), description }]),
  )
  const withWords = (inner: object) => ({
    ...object,
    properties: {
      or: {
        type: 'array',
        minItems: 1,
        maxItems: MAX_ALTERNATIVES,
        items: inner,
        description: 'Conditions of which one must match',
      },
      not: { ...inner, description: 'A condition that must not match' },
      ...offered,
    },
    additionalProperties: condition,
  })
  return withWords(withWords(object))
}

export interface ShapeMistake {
  readonly path: readonly (string | number)[]
  readonly message: string
  readonly hint?: string
}

/** What is wrong with the shape of what is nested in a condition, whatever its names mean. */
export const conditionShape = (condition: Conditions, path: ShapeMistake['path'] = [], depth = 0): ShapeMistake[] =>
  conditionParts(condition).flatMap((part): ShapeMistake[] => {
    const at = [...path, part.kind === 'value' ? part.name : part.kind]
    // The schema has checked the values outside of words.
    if (part.kind === 'value') return depth === 0 ? [] : valueMistakes(condition[part.name], part.operators, at)
    if (depth === MAX_CONDITION_DEPTH)
      return [
        {
          path: at,
          message: `or and not are nested more than ${MAX_CONDITION_DEPTH} deep`,
          hint: 'Repeat what is around an inner or in each of its alternatives, and write not of one comparison as ne or notIn',
        },
      ]
    const inner: [ShapeMistake['path'], unknown][] =
      part.kind === 'not' ? [[at, part.condition]] : part.alternatives.map((each, index) => [[...at, index], each])
    if (inner.length === 0 || inner.length > MAX_ALTERNATIVES)
      return [{ path: at, message: `or must have 1 to ${MAX_ALTERNATIVES} conditions` }]
    return inner.flatMap(([where, each]) =>
      isRecord(each) && Object.keys(each).length > 0
        ? conditionShape(each as Conditions, where, depth + 1)
        : [{ path: where, message: 'A condition must name a value and what it is compared with' }],
    )
  })

function valueMistakes(given: unknown, operators: Operators, at: ShapeMistake['path']): ShapeMistake[] {
  const name = at.at(-1)
  if (name === 'or') return [{ path: at, message: 'or must have a list of conditions', hint: 'or: [{ … }, { … }]' }]
  if (name === 'not') return [{ path: at, message: 'not must have a condition', hint: 'not: { … }' }]
  return Object.entries(operators).flatMap(([operator, operand]) => {
    const message = operandMistake(operator, operand)
    return message === undefined ? [] : [{ path: isRecord(given) ? [...at, operator] : at, message }]
  })
}

function operandMistake(operator: string, operand: unknown): string | undefined {
  if (!Object.hasOwn(OPERATORS, operator)) return `Unknown operator ${operator}`
  if (operator === 'exists') return typeof operand === 'boolean' ? undefined : 'exists must be true or false'
  if (operator !== 'in' && operator !== 'notIn')
    return isScalar(operand) ? undefined : `${operator} must have a text, a number, true or false`
  const isValid = Array.isArray(operand) && operand.length > 0 && operand.every(isScalar)
  return isValid ? undefined : `${operator} must have a list of texts, numbers, true or false`
}
const isScalar = (value: unknown): boolean =>
  (typeof value === 'string' && value.length <= MAX_TEXT_LENGTH) ||
  typeof value === 'number' ||
  typeof value === 'boolean'
