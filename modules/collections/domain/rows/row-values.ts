/** Turns a body into the values of a row: defaults, slugs, canonical values, errors. Pure. */
import { composed, type FieldError, fieldError, isBlank, wording } from '@larder-dev/larder/kernel'
import { escapePointer } from '@larder-dev/larder/kernel/internal'
import type { Collection, Field } from '../declarations/collection.ts'
import { singular } from '../declarations/naming.ts'
import { type Creation, expressionDefault, timeOf, variableDefault } from '../fields/defaults.ts'
import {
  changeTimes,
  derivedSlugs,
  expressionDefaults,
  givenFields,
  requiredFields,
  variableDefaults,
} from '../fields/field-lists.ts'
import { specOf } from '../fields/field-types.ts'
import { compileJsonSchema } from '../fields/json-schema.ts'
import { slugFrom } from '../fields/slug.ts'
import { valueError } from '../fields/value-validation.ts'
import { periodErrors } from './periods.ts'

/** JSON values by name of the field; null for none, a list for many references. */
export type Values = Readonly<Record<string, unknown>>

export interface NewValues {
  /** Every field but computed ones. */
  readonly values: Values
  /** Names of the fields whose slug was made from another field. */
  readonly generated: readonly string[]
  readonly errors: readonly FieldError[]
}

/** @param pointer JSON Pointer of the row in the body. */
export function newValues(collection: Collection, given: Values, creation: Creation, pointer = ''): NewValues {
  const errors: FieldError[] = []
  const generated: string[] = []
  const values: Record<string, unknown> = {}
  for (const field of givenFields(collection)) {
    const value = given[field.name] === undefined ? (field.default ?? null) : given[field.name]
    values[field.name] = canonical(field, value)
    addErrors(errors, field, value, pointer)
  }
  addDefaults(collection, given, creation, values, (field, value) => addErrors(errors, field, value, pointer))
  for (const field of derivedSlugs(collection)) {
    if (field.from === undefined || given[field.name] !== undefined) continue
    values[field.name] = slugFrom(values[field.from], singular(collection.name), field.maxLength)
    if (values[field.name] === null) continue
    generated.push(field.name)
    addErrors(errors, field, values[field.name], pointer)
  }
  for (const field of requiredFields(collection)) {
    const { name, sequence } = field
    if (sequence === undefined && isMissing(field, values[name]))
      errors.push(fieldError(pointerOf(pointer, name), 'required', wording('is required')))
  }
  errors.push(...periodErrors(collection, values, pointer))
  return { values, generated, errors: withoutRepeats(errors) }
}

/** The defaults that depend on the caller, the time or other values. Expressions read those of variables. */
function addDefaults(
  collection: Collection,
  given: Values,
  creation: Creation,
  values: Record<string, unknown>,
  found: (field: Field, value: unknown) => void,
): void {
  const variables = variableDefaults(collection)
  const expressions = expressionDefaults(collection)
  if (variables.length + expressions.length === 0) return
  const add = (field: Field, value: unknown) => {
    values[field.name] = canonical(field, value)
    found(field, value)
  }
  for (const field of variables) {
    const { name, defaultFrom } = field
    if (given[name] === undefined && defaultFrom && 'variable' in defaultFrom)
      add(field, variableDefault(field, defaultFrom.variable, creation))
  }
  for (const field of expressions) {
    const { name, defaultFrom } = field
    if (given[name] === undefined && defaultFrom && 'expression' in defaultFrom)
      add(field, expressionDefault(field, defaultFrom.expression, collection.fields, values, creation.now))
  }
}

/** The values of a change with the times that it sets. A value that is given stays. */
export function withChangeTimes(collection: Collection, changed: Values, now: number): Values {
  const fields = changeTimes(collection).filter(({ name }) => changed[name] === undefined)
  if (fields.length === 0) return changed
  const time = new Date(now).toISOString()
  return { ...changed, ...Object.fromEntries(fields.map(field => [field.name, timeOf(field, time)])) }
}

/** Only the fields that are given. */
export function changedValues(
  collection: Pick<Collection, 'fields'>,
  given: Values,
  pointer = '',
): Pick<NewValues, 'values' | 'errors'> {
  const errors: FieldError[] = []
  const values: Record<string, unknown> = {}
  for (const [name, value] of Object.entries(given)) {
    const field = collection.fields.get(name)
    if (!field || value === undefined) continue
    values[name] = canonical(field, value)
    addErrors(errors, field, value, pointer)
    if (field.required && isMissing(field, values[name]))
      errors.push(fieldError(pointerOf(pointer, name), 'required', wording('is required')))
  }
  return { values, errors: withoutRepeats(errors) }
}

export const pointerOf = (pointer: string, name: string): string => `${pointer}/${escapePointer(name)}`

export const isEmpty = (value: unknown): boolean => value === null || (Array.isArray(value) && value.length === 0)

/** A text that shows nothing is no value. Rows that have one keep it until the field is changed. */
const isMissing = ({ type }: Field, value: unknown): boolean =>
  isEmpty(value) || (type !== 'json' && typeof value === 'string' && isBlank(value))

/** A required list of references can't be empty, but a JSON list can. */
const withoutRepeats = (errors: readonly FieldError[]): readonly FieldError[] => {
  if (errors.length < 2) return errors
  const seen = new Set<string>()
  return errors.filter(({ pointer }) => !seen.has(pointer) && seen.add(pointer))
}

/** The value as later reads return it: a time in UTC with milliseconds, a duration in its largest unit. */
function canonical(field: Field, value: unknown): unknown {
  if (field.reference?.many) return value === null ? [] : value
  if (value === null || field.type === 'json') return value
  const { parse, toColumn, fromColumn } = specOf(field)
  const parsed = parse(value)
  return parsed === undefined ? value : fromColumn(toColumn(parsed))
}

const schemas = new WeakMap<Field, (value: unknown) => FieldError[]>()

/** @param pointer of the row. */
function addErrors(errors: FieldError[], field: Field, given: unknown, pointer: string): void {
  if (given === null) return
  // The text that is stored.
  const value = typeof given === 'string' ? composed(given) : given
  if (field.type === 'json') {
    const check = field.schema && (schemas.get(field) ?? compileJsonSchema(field.schema))
    if (check) schemas.set(field, check)
    for (const error of check?.(value) ?? [])
      errors.push({ ...error, pointer: pointerOf(pointer, field.name) + error.pointer })
    return
  }
  const detail = valueError(field, value)
  if (detail !== undefined) errors.push(fieldError(pointerOf(pointer, field.name), 'invalid', detail))
}

/** Names of the fields that differ. */
export const changedFields = (before: Values, after: Values): string[] =>
  Object.keys(after).filter(name => JSON.stringify(before[name] ?? null) !== JSON.stringify(after[name] ?? null))
