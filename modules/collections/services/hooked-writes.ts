/** The values of a row between the hooks that change and check them. */
import { type FieldError, fieldError, invalidFields, Problem, unworded, withErrors } from '@larder-dev/larder/kernel'
import type { Collection, Field, Row } from '../domain/declarations/collection.ts'
import type { Creation } from '../domain/fields/defaults.ts'
import { changedFields, changedValues, newValues, pointerOf, type Values } from '../domain/rows/row-values.ts'
import type { CallHooks } from './row-hooks.ts'

export interface HookedRow {
  readonly given: Values
  readonly pointer: string
}

/** Hooks point to fields of their row; the caller of a list needs the row as well. */
export function callInRow(call: CallHooks, pointer: string): CallHooks {
  if (pointer === '') return call
  return async (...given) => {
    try {
      await call(...given)
    } catch (error) {
      const errors = Problem.is(error) && error.status < 500 ? error.extras.errors : undefined
      if (!Problem.is(error) || !Array.isArray(errors)) throw error
      const inRow = (errors as FieldError[]).map(each => ({ ...each, pointer: pointer + each.pointer }))
      throw withErrors(error, inRow)
    }
  }
}

/** Returns what the hooks set. Throws `validation_failed`. */
export async function beforeCreate(
  calls: CallHooks,
  collection: Collection,
  { given, pointer }: HookedRow,
  creation: Creation,
  found: FieldError[],
): Promise<Values> {
  const call = callInRow(calls, pointer)
  const set: Record<string, unknown> = {}
  const receive = (returned: Values) => void Object.assign(set, known(collection, returned))
  // A hook may set a required value that is missing.
  const current = () => newValues(collection, { ...given, ...set }, creation, pointer)
  const invalid = current().errors.filter(({ code }) => code !== 'required')
  if (invalid.length > 0) throw invalidFields(invalid)
  await call(collection, 'beforeCreate', { values: current().values }, receive)
  await call(collection, 'compute', { values: current().values }, receive)
  const { values, errors } = current()
  found.push(...errors)
  if (errors.length === 0) found.push(...(await mistakes(call, collection, values, undefined, pointer)))
  return set
}

/** Returns the values that change, those of hooks included. Throws `validation_failed`. */
export async function beforeUpdate(
  calls: CallHooks,
  collection: Collection,
  before: Row,
  { given, pointer }: HookedRow,
): Promise<Values> {
  const call = callInRow(calls, pointer)
  const set: Record<string, unknown> = {}
  const receive = (returned: Values) => void Object.assign(set, known(collection, returned))
  const current = () => {
    const { values, errors } = changedValues(collection, { ...given, ...set }, pointer)
    return { changes: values, errors, values: draftOf(collection, { ...before, ...values }) }
  }
  const { values } = current()
  await call(collection, 'beforeUpdate', { before, values, changed: changedFields(before, given) }, receive)
  await call(collection, 'compute', { values: current().values }, receive)
  const { changes, errors, values: final } = current()
  if (errors.length > 0) throw invalidFields(errors)
  const found = await mistakes(call, collection, final, before, pointer)
  if (found.length > 0) throw invalidFields(found)
  return Object.fromEntries(changedFields(before, changes).map(name => [name, changes[name]]))
}

async function mistakes(
  call: CallHooks,
  collection: Collection,
  values: Values,
  before: Row | undefined,
  pointer: string,
): Promise<FieldError[]> {
  const found: FieldError[] = []
  await call(collection, 'validate', { values, before }, returned => {
    for (const [name, detail] of Object.entries(returned))
      if (typeof detail === 'string') found.push(fieldError(pointerOf(pointer, name), 'invalid', unworded(detail)))
  })
  return found
}

/** Throws an Error for fields that don't exist: a mistake in the hook. */
function known({ name: collection, fields }: Collection, returned: Values): Values {
  for (const name of Object.keys(returned)) {
    const field = fields.get(name)
    if (!field || field.type === 'computed' || field.sequence !== undefined)
      throw new Error(`a hook of ${collection} set "${name}", which is ${field ? reasonOf(field) : 'not a field'}`)
  }
  return returned
}

const reasonOf = ({ type }: Field): string => (type === 'computed' ? 'computed' : 'a number of a sequence')

/** Removes computed fields and the fields that every row has. */
const draftOf = ({ fields }: Collection, row: Values): Values =>
  Object.fromEntries(
    [...fields.values()].filter(({ type }) => type !== 'computed').map(({ name }) => [name, row[name] ?? null]),
  )
