/** The condition language of access rules, filters and feature flags: operators on a value, and their JSON Schemas. */

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
const OPERATORS: Record<keyof Operators, object> = {
  eq: scalar,
  ne: scalar,
  in: scalars,
  notIn: scalars,
  gt: comparable,
  gte: comparable,
  lt: comparable,
  lte: comparable,
  contains: scalar,
  startsWith: text,
  endsWith: text,
  exists: { type: 'boolean' },
}

/**
 * JSON Schema of a condition: a value, or operators that must all match. It has no alternatives, so that an invalid
 * condition gets one error. @param more schemas of additional operators.
 */
export const conditionSchema = <More extends string = never>(
  more: Record<More, object> = {} as Record<More, object>,
) => ({
  type: ['string', 'number', 'boolean', 'object'],
  maxLength: MAX_TEXT_LENGTH,
  minProperties: 1,
  additionalProperties: false,
  properties: { ...OPERATORS, ...more },
})
