/** What an error of validation says. Each wording ends a sentence that begins with the field. Pure. */
import type { ErrorObject } from 'ajv/dist/2020.js'
import { VISIBLE_KEYWORD } from './ajv-extensions.ts'
import { withSuggestion } from './suggest.ts'
import { isWording, type Wording, wording } from './wording.ts'

type Wordings = Readonly<Record<string, (error: ErrorObject) => Wording>>
/** The values of a keyword: its limit, its format. */
const limitOf = ({ params }: ErrorObject) => ({ limit: params.limit as number })
const countOf = ({ params }: ErrorObject) => ({ count: params.limit as number })
const isOne = ({ params }: ErrorObject): boolean => params.limit === 1

/** Never repeats the value, which may be a secret. */
const WORDINGS: Wordings = {
  required: () => wording('is required'),
  dependentRequired: ({ params }) => wording('is required, because {other} is present', { other: params.property }),
  additionalProperties: unknownField,
  unevaluatedProperties: unknownField,
  type: ({ params }) => typeWording([params.type].flat()),
  format: ({ params }) => FORMATS[params.format] ?? wording('must have the format {format}', { format: params.format }),
  pattern: shapeOf,
  [VISIBLE_KEYWORD]: () => wording('must not be blank'),
  enum: ({ params }) => choiceOf(params.allowedValues),
  const: ({ params }) => choiceOf([params.allowedValue]),
  minLength: error =>
    isOne(error) ? wording('must not be empty') : wording('must have at least {count} characters', countOf(error)),
  maxLength: error =>
    isOne(error)
      ? wording('must have at most 1 character')
      : wording('must have at most {count} characters', countOf(error)),
  minItems: error =>
    isOne(error) ? wording('must have at least 1 item') : wording('must have at least {count} items', countOf(error)),
  maxItems: error =>
    isOne(error) ? wording('must have at most 1 item') : wording('must have at most {count} items', countOf(error)),
  minProperties: error =>
    isOne(error) ? wording('must have at least 1 field') : wording('must have at least {count} fields', countOf(error)),
  maxProperties: error =>
    isOne(error) ? wording('must have at most 1 field') : wording('must have at most {count} fields', countOf(error)),
  uniqueItems: ({ params }) =>
    wording('must not contain duplicates; items {first} and {second} are equal', { first: params.i, second: params.j }),
  minimum: error => wording('must be {limit} or more', limitOf(error)),
  maximum: error => wording('must be {limit} or less', limitOf(error)),
  exclusiveMinimum: error => wording('must be greater than {limit}', limitOf(error)),
  exclusiveMaximum: error => wording('must be less than {limit}', limitOf(error)),
  multipleOf: ({ params }) => wording('must be a multiple of {step}', { step: params.step }),
}

/** Keywords of schemas inside schemas say no more than that the value doesn't fit. */
export function validationWording(error: ErrorObject): Wording {
  if (isWording(error.params.wording)) return error.params.wording
  return WORDINGS[error.keyword]?.(error) ?? wording('does not have the required form')
}

/** The keywords with a wording of their own. */
export const wordedKeywords: readonly string[] = Object.keys(WORDINGS)

const FORMATS: Readonly<Record<string, Wording>> = {
  email: wording('must be an email address'),
  uri: wording('must be an absolute URL, such as https://example.com/'),
  'date-time': wording('must be a time such as 2026-01-31T12:00:00Z, in the years 1 to 9999'),
  date: wording('must be a date such as 2026-01-31'),
}

const TYPES: Readonly<Record<string, Wording>> = {
  string: wording('a text'),
  number: wording('a number'),
  integer: wording('a whole number'),
  boolean: wording('true or false'),
  array: wording('a list'),
  object: wording('an object'),
  null: wording('null'),
}

function typeWording(names: readonly string[]): Wording {
  const types = names.map(name => TYPES[name] ?? name)
  const last = types.at(-1) ?? ''
  return types.length < 2
    ? wording('must be {type}', { type: last })
    : wording('must be {types} or {type}', { types: types.slice(0, -1), type: last })
}

/** People leave a field empty instead of choosing null. */
function choiceOf(allowed: readonly unknown[]): Wording {
  const values = allowed.filter(value => value !== null)
  const [first = null, ...others] = values
  return others.length === 0
    ? wording('must be {choice}', { choice: String(first) })
    : wording('must be one of {choices}', { choices: values.map(String) })
}

/** Suggests only fields of the schema: the value may be a secret. */
function unknownField({ params, parentSchema }: ErrorObject): Wording {
  const { properties = {} } = (parentSchema ?? {}) as { properties?: object }
  const name: string = params.additionalProperty ?? params.unevaluatedProperty
  return withSuggestion(wording('is not a known field'), name, Object.keys(properties))
}

/** Matches the output of `idPattern`. */
const ID = /^\^([a-z]+)_\[0-7\]/

/** Prefers an example to the regular expression. */
function shapeOf({ params, parentSchema }: ErrorObject): Wording {
  if (params.pattern === '\\S') return wording('must not be blank')
  const [, prefix] = ID.exec(params.pattern) ?? []
  if (prefix !== undefined) return wording('must be an ID: {prefix}_ followed by 26 letters and digits', { prefix })
  const { examples, description } = (parentSchema ?? {}) as { examples?: unknown[]; description?: string }
  const example = examples?.[0]
  if (example === undefined) return wording('must match the pattern {pattern}', { pattern: params.pattern })
  return description === undefined
    ? wording('must be a value such as {example}', { example: String(example) })
    : wording('must be a value such as {example}: {description}', { example: String(example), description })
}
