/** Former names of fields, which the API serves beside the current ones until the recipe has no `was`. Pure. */
import { isDeepStrictEqual } from 'node:util'
import { type FieldError, fieldError, invalidFields, wording } from '@larder-dev/larder/kernel'
import { type Collection, type Field, SYSTEM_FIELDS } from './collection.ts'

type Fields = Pick<Collection, 'fields'>

const known = new WeakMap<Collection['fields'], ReadonlyMap<string, Field>>()

/** Former name → field. */
export function formerNames({ fields }: Fields): ReadonlyMap<string, Field> {
  const found = known.get(fields)
  if (found) return found
  const isTaken = (name: string) => fields.has(name) || SYSTEM_FIELDS.some(system => system === name)
  const made = new Map(
    [...fields.values()].flatMap(field =>
      field.was === undefined || isTaken(field.was) ? [] : [[field.was, field] as const],
    ),
  )
  known.set(fields, made)
  return made
}

/** The field of a name, current or former. */
export const fieldNamed = (collection: Fields, name: string): Field | undefined =>
  collection.fields.get(name) ?? formerNames(collection).get(name)

export const currentName = (collection: Fields, name: string): string => formerNames(collection).get(name)?.name ?? name

/** The values under both names, as replies, events and messages have them. */
export function withFormerNames<V extends Readonly<Record<string, unknown>>>(collection: Fields, values: V): V {
  const former = formerNames(collection)
  if (former.size === 0) return values
  const added = [...former].flatMap(([name, field]) =>
    Object.hasOwn(values, field.name) ? [[name, values[field.name]] as const] : [],
  )
  return { ...values, ...Object.fromEntries(added) }
}

/** The names, and the former ones of these fields. */
export const withFormer = (collection: Fields, names: readonly string[]): readonly string[] => {
  const former = [...formerNames(collection)].flatMap(([name, field]) => (names.includes(field.name) ? [name] : []))
  return former.length === 0 ? names : [...names, ...former]
}

/** The values under the current names alone, from a process that may know the former ones only. */
export function withCurrentNames<V extends Readonly<Record<string, unknown>>>(collection: Fields, values: V): V {
  const former = formerNames(collection)
  if (former.size === 0) return values
  const current: Record<string, unknown> = {}
  for (const [name, value] of Object.entries(values)) {
    const field = former.get(name)
    if (!field) current[name] = value
    else if (!Object.hasOwn(values, field.name)) current[field.name] = value
  }
  return current as V
}

/**
 * Values of a request under the current names. Throws `validation_failed` if both names of a field have different values.
 * @param pointer of the row.
 */
export function givenValues<V extends Readonly<Record<string, unknown>>>(
  collection: Fields,
  values: V,
  pointer = '',
): V {
  const errors = [...formerNames(collection)].flatMap(([name, field]): FieldError[] => {
    if (!Object.hasOwn(values, name) || !Object.hasOwn(values, field.name)) return []
    return isDeepStrictEqual(values[name], values[field.name]) ? [] : [contradiction(name, field, pointer)]
  })
  if (errors.length > 0) throw invalidFields(errors)
  return withCurrentNames(collection, values)
}

const contradiction = (name: string, field: Field, pointer: string): FieldError =>
  fieldError(
    `${pointer}/${name}`,
    'contradiction',
    wording('is the former name of "{name}", which has another value here. Use "{name}" alone', { name: field.name }),
  )
