/** Fields of people and of members, with the types of collections. Pure. */
import {
  fieldError,
  formatSize,
  invalidField,
  invalidFields,
  KIB,
  type Registrations,
  type Wording,
  wording,
} from '@larder-dev/larder/kernel'
import type { Field } from '../declarations/collection.ts'
import type { DeclaredField, DeclaredProfile } from '../declarations/declaration.ts'
import { normalizeField } from '../declarations/normalize.ts'
import { formItems, inputTexts, valueOfText } from '../fields/form-items.ts'
import { profileSchemas } from './row-schemas.ts'
import { changedValues, isEmpty, pointerOf, type Values } from './row-values.ts'

type Profile = Registrations['profileFields']
type Fields = NonNullable<Profile['user']>

/** The limit of a profile as JSON: a list contains the profile of each of its members. */
const MAX_BYTES = 32 * KIB
/** Where errors point, and what names of inputs start with: other inputs of a form can't have the name of a field. */
const POINTER = '/profile'
const PREFIX = 'profile.'

export const createProfileFields = (declared: DeclaredProfile = {}): Profile => ({
  ...(declared.user && { user: fieldsOf(declared.user.fields) }),
  ...(declared.member && { member: fieldsOf(declared.member.fields) }),
})

function fieldsOf(declared: Readonly<Record<string, DeclaredField>>): Fields {
  const all = Object.entries(declared).map(([name, field]) => normalizeField(name, field))
  const fields = new Map(all.map(field => [field.name, field]))
  /** A person has no value before they give one. */
  const needed = all.filter(({ required, default: initial }) => required && initial === undefined)
  const own = all.filter(({ readOnly }) => !readOnly)
  const chosen = (onlyNeeded = false) => (onlyNeeded ? needed : own)

  const read: Fields['read'] = stored =>
    Object.fromEntries(
      all.map(({ name, default: initial }) => [name, fits(fields, name, stored) ? stored[name] : (initial ?? null)]),
    )
  const merge: Fields['merge'] = (stored, changes, by) => {
    const checked = Object.entries(changes).map(([name, value]) => checkedValue(fields, name, value, by))
    const errors = checked.flatMap(change => change.errors)
    if (errors.length > 0) throw invalidFields(errors)
    const merged = Object.assign({}, stored, ...checked.map(({ values }) => values)) as Values
    assertSize(merged, changes)
    return merged
  }

  return {
    schemas: profileSchemas(all, needed),
    hasNeeded: needed.length > 0,
    read,
    merge,
    create: values => merge({}, { ...Object.fromEntries(needed.map(({ name }) => [name, null])), ...values }, 'person'),
    isComplete(stored) {
      const values = read(stored)
      return needed.every(({ name }) => !isEmpty(values[name]))
    },
    form(stored, locale, { refused, onlyNeeded } = {}) {
      const names = chosen(onlyNeeded).map(({ name }) => name)
      const input = refused
        ? Object.fromEntries(names.map(name => [name, refused.input[PREFIX + name] ?? '']))
        : inputTexts(own, read(stored))
      const errors = (refused?.errors ?? []).flatMap(error =>
        error.pointer.startsWith(`${POINTER}/`) ? [{ ...error, pointer: error.pointer.slice(POINTER.length) }] : [],
      )
      const { items } = formItems({ fields }, { prefix: 'profile', names, locale, input, errors })
      return { items: items.map(item => ({ ...item, name: PREFIX + item.name })) }
    },
    valuesOf: (form, { onlyNeeded } = {}) =>
      Object.fromEntries(
        chosen(onlyNeeded).map(field => [field.name, typedValue(field, form[PREFIX + field.name] ?? '')]),
      ),
  }
}

/** Undefined for a text that isn't JSON. */
function typedValue(field: Field, text: string): unknown {
  if (field.type !== 'json') return valueOfText(field, text) ?? null
  try {
    return text.trim() === '' ? null : JSON.parse(text)
  } catch {
    return undefined
  }
}

type Checked = ReturnType<typeof changedValues>

function checkedValue(
  fields: ReadonlyMap<string, Field>,
  name: string,
  value: unknown,
  by: Parameters<Fields['merge']>[2],
): Checked {
  const pointer = pointerOf(POINTER, name)
  const refused = (code: string, text: Wording): Checked => ({
    values: {},
    errors: [fieldError(pointer, code, text)],
  })
  const field = fields.get(name)
  if (!field) return refused('unknown_field', wording('is not a field of the profile'))
  if (field.readOnly && by === 'person') return refused('not_allowed', wording('can be changed by an operator only'))
  if (value === undefined) return refused('invalid', wording('must be JSON'))
  return changedValues({ fields }, { [name]: value }, POINTER)
}

/** False without a value, and for one from before a change of the recipe, of another type for example. */
const fits = (fields: ReadonlyMap<string, Field>, name: string, stored: Values): boolean =>
  Object.hasOwn(stored, name) &&
  (stored[name] === null || changedValues({ fields }, { [name]: stored[name] }).errors.length === 0)

/** Blames the longest of the changed values. */
function assertSize(merged: Values, changes: Values): void {
  if (Buffer.byteLength(JSON.stringify(merged)) <= MAX_BYTES) return
  const lengthOf = (name: string) => JSON.stringify(merged[name]).length
  const [longest = ''] = Object.keys(changes).toSorted((a, b) => lengthOf(b) - lengthOf(a))
  const text = wording('is too long: all fields together can have {size}', { size: formatSize(MAX_BYTES) })
  throw invalidField(pointerOf(POINTER, longest), 'too_long', text)
}
