/** Validates requests against a route's schemas and reports up to 20 invalid fields at once. */
import { createRequire } from 'node:module'
import type { Ajv2020 as Ajv, ErrorObject } from 'ajv/dist/2020.js'
import type { TSchema } from 'typebox'
import { addModifiers, extendAjv, VISIBLE_KEYWORD } from './ajv-extensions.ts'
import { escapePointer, textError } from './json.ts'
import { wholeSchema } from './json-schema.ts'
import { common, type FieldError, fieldError, malformed } from './problem.ts'
import { validationWording } from './validation-wordings.ts'
import { type Wording, wording } from './wording.ts'

const MAX_ERRORS = 20
/**
 * Ajv has no limit for `allErrors`: 64 KiB of `{}` in a list whose items have 30 required fields are 650,000 errors, which
 * block the event loop for seconds. A value with more parts than this gets its first error only.
 */
const MAX_PARTS_FOR_ALL_ERRORS = 1000
const require = createRequire(import.meta.url)

/** Returns the value with its defaults filled in. Throws `validation_failed`. */
export type ValueCheck = (value: unknown) => unknown

export interface Validator {
  body(schema: TSchema): ValueCheck
  /** Converts strings to numbers and booleans as the schema requires. */
  query(schema: TSchema): ValueCheck
}

/**
 * Loads ajv and compiles each schema on first use: compiling 400 schemas at the start would take half a second. Products
 * in the same process share compiled schemas.
 */
export function createValidator(): Validator {
  return {
    body: schema => checkOf(bodies, schema, ''),
    query: schema => checkOf(queries, schema, 'query'),
  }
}

interface Compilers {
  /** Stops at the first error. */
  readonly decide: () => Ajv
  /** Finds all errors. Only for small values that are invalid. */
  readonly report: () => Ajv
  readonly checks: WeakMap<TSchema, ValueCheck>
}

const createCompilers = (coerce: boolean): Compilers => ({
  decide: once(() => createAjv(coerce, { allErrors: false })),
  report: once(() => createAjv(coerce, { allErrors: true })),
  checks: new WeakMap(),
})
const bodies = createCompilers(false)
const queries = createCompilers(true)

function checkOf(compilers: Compilers, schema: TSchema, place: '' | 'query'): ValueCheck {
  const check = compilers.checks.get(schema) ?? lazyCheck(compilers, schema, place)
  compilers.checks.set(schema, check)
  return check
}

function createAjv(coerce: boolean, options: object): Ajv {
  const { Ajv2020 } = require('ajv/dist/2020.js') as { Ajv2020: new (options: object) => Ajv }
  const formats = require('ajv-formats') as (ajv: Ajv) => void
  const coerceTypes = coerce ? 'array' : false
  // `verbose` adds the schema to each error, for its examples.
  // Routes declare their schemas with TypeBox: compiling the metaschema, to validate them, takes 50 ms.
  const schemas = { strict: false, validateSchema: false, meta: false }
  const ajv = new Ajv2020({ ...schemas, useDefaults: true, coerceTypes, verbose: true, ...options })
  formats(ajv)
  extendAjv(ajv)
  addModifiers(ajv)
  const { validate } = ajv.formats['date-time'] as { validate: (text: string) => boolean }
  ajv.addFormat('date-time', { validate: (text: string) => validate(text) && isStorable(Date.parse(text)) })
  return ajv
}

const MIN_TIME = Date.parse('0001-01-01T00:00:00Z')
const MAX_TIME = Date.parse('9999-12-31T23:59:59.999Z')
/** Responses are UTC with a four-digit year. A leap second, valid in RFC 3339 but not for Date, is NaN. */
const isStorable = (time: number): boolean => time >= MIN_TIME && time <= MAX_TIME

function lazyCheck({ decide, report }: Compilers, schema: TSchema, place: '' | 'query'): ValueCheck {
  const compile = (ajv: Ajv) => {
    const closed = wholeSchema({ close: true, dialect: '2020-12' }, schema)
    const check = ajv.compile(closed)
    // Otherwise Ajv would keep the schema in memory.
    ajv.removeSchema(closed)
    return check
  }
  const first = once(() => compile(decide()))
  const all = once(() => compile(report()))
  const whenAbsent = isObjectWithNothingRequired(schema)
  return value => {
    const given = value === undefined && whenAbsent ? {} : value
    if (first()(given)) return given
    if (countParts(given, MAX_PARTS_FOR_ALL_ERRORS) > MAX_PARTS_FOR_ALL_ERRORS) fail(first().errors ?? [], place)
    const check = all()
    check(given)
    return fail(check.errors ?? [], place)
  }
}

const isObjectWithNothingRequired = (schema: TSchema): boolean => {
  const { type, required } = schema as { type?: unknown; required?: readonly string[] }
  return type === 'object' && (required ?? []).length === 0
}

/** Items and fields at all levels. Stops counting above the limit. */
function countParts(value: unknown, limit: number): number {
  if (typeof value !== 'object' || value === null) return 0
  const parts = Object.values(value)
  let count = parts.length
  for (let at = 0; at < parts.length && count <= limit; at++) count += countParts(parts[at], limit - count)
  return count
}

/** Unknown query parameters and unsupported sort fields are `malformed`, not `validation_failed`. */
function fail(found: readonly ErrorObject[], place: '' | 'query'): never {
  const errors = fieldErrors(found, place)
  const unknown =
    place === 'query' && errors.find(error => error.code === 'unknown_field' || error.pointer === 'query/sort')
  if (unknown) throw malformed.parameter({ name: unknown.pointer.slice(6), problem: unknown.wording }, { errors })
  throw common.validation_failed({}, { errors })
}

const CODES: Readonly<Record<string, string>> = {
  required: 'required',
  additionalProperties: 'unknown_field',
  unevaluatedProperties: 'unknown_field',
  type: 'wrong_type',
  format: 'wrong_format',
  pattern: 'wrong_format',
  [VISIBLE_KEYWORD]: 'wrong_format',
  enum: 'not_allowed',
  const: 'not_allowed',
  minLength: 'too_short',
  maxLength: 'too_long',
  minItems: 'too_few',
  maxItems: 'too_many',
  minProperties: 'too_few',
  maxProperties: 'too_many',
  uniqueItems: 'duplicate',
  minimum: 'too_small',
  exclusiveMinimum: 'too_small',
  maximum: 'too_large',
  exclusiveMaximum: 'too_large',
}

/** Keywords that only wrap other errors. */
const WRAPPER_KEYWORDS = ['if', 'propertyNames']

/** The invalid fields of a problem response, at most 20. */
export function fieldErrors(errors: readonly ErrorObject[], place: '' | 'query'): FieldError[] {
  const alternatives = errors.filter(error => error.keyword === 'anyOf' || error.keyword === 'oneOf')
  const specific = errors.filter(error => !alternatives.includes(error) && !WRAPPER_KEYWORDS.includes(error.keyword))
  // A format error is more helpful than a pattern error for the same field, and only the first is reported.
  specific.sort((a, b) => Number(a.keyword === 'pattern') - Number(b.keyword === 'pattern'))
  const made = (specific.length > 0 ? specific : errors).slice(0, MAX_ERRORS).map(error => invalidPart(error, place))
  const seen = new Set<string>()
  return made.filter(({ pointer, code }) => !seen.has(`${pointer} ${code}`) && seen.add(`${pointer} ${code}`))
}

function invalidPart(error: ErrorObject, place: '' | 'query'): FieldError {
  const { missingProperty, additionalProperty, unevaluatedProperty } = error.params
  const { propertyName } = error
  const field: string | undefined = missingProperty ?? additionalProperty ?? unevaluatedProperty ?? propertyName
  const pointer = field === undefined ? error.instancePath : `${error.instancePath}/${escapePointer(field)}`
  const problem = validationWording(error)
  return fieldError(
    place === '' ? pointer : place + pointer,
    CODES[error.keyword] ?? 'invalid',
    propertyName === undefined ? problem : wording('as a key {problem}', { problem }),
  )
}

/** Rejects text that PostgreSQL cannot store. Throws `validation_failed`. */
export function checkText(values: Readonly<Record<string, unknown>>, place: 'params' | 'query' | 'body'): void {
  const errors: FieldError[] = []
  for (const name in values) {
    const problem = wordsError(values[name])
    if (problem === undefined) continue
    errors.push(fieldError(`${place === 'body' ? '' : place}/${escapePointer(name)}`, 'not_allowed', problem))
  }
  if (errors.length > 0) throw common.validation_failed({}, { errors })
}

function wordsError(value: unknown): Wording | undefined {
  if (typeof value === 'string') return textError(value)
  if (typeof value === 'number')
    return Number.isFinite(value) ? undefined : wording('must be a number of at most 1.8e308')
  return Array.isArray(value) ? value.map(wordsError).find(Boolean) : undefined
}

/** Calls `make` at the first call only, and returns its result at each. */
export function once<T>(make: () => T): () => T {
  let made: { value: T } | undefined
  return () => {
    made ??= { value: make() }
    return made.value
  }
}
