/** Fields of people and of members, with the types of collections. Pure. */
import { type FieldError, invalidFields, type Registrations } from '@larder-dev/larder/kernel'
import type { Field } from './collection.ts'
import type { DeclaredField, DeclaredProfile } from './declaration.ts'
import { formItems, inputTexts, valueOfText } from './form-items.ts'
import { normalizeField } from './normalize.ts'
import { valueError } from './value-validation.ts'

type Profile = Registrations['profileFields']
type Fields = NonNullable<Profile['user']>

export const createProfileFields = (declared: DeclaredProfile = {}): Profile => ({
  ...(declared.user && { user: fieldsOf(declared.user.fields) }),
  ...(declared.member && { member: fieldsOf(declared.member.fields) }),
})

function fieldsOf(declared: Readonly<Record<string, DeclaredField>>): Fields {
  const all = Object.entries(declared).map(([name, field]) => normalizeField(name, field))
  const fields = new Map(all.map(field => [field.name, field]))
  const read: Fields['read'] = stored =>
    Object.fromEntries(
      all.map(({ name, default: initial }) => [name, Object.hasOwn(stored, name) ? stored[name] : (initial ?? null)]),
    )
  return {
    read,
    merge(stored, changes, pointer) {
      const errors = Object.entries(changes).flatMap(([name, value]) =>
        errorOf(fields.get(name), value, `${pointer}/${name}`),
      )
      if (errors.length > 0) throw invalidFields(errors)
      return { ...stored, ...changes }
    },
    form(stored, locale, refused) {
      const input = refused?.input ?? inputTexts(all, read(stored))
      const names = all.map(({ name }) => name)
      const { items } = formItems(
        { fields },
        { prefix: 'profile', names, locale, input, errors: refused?.errors ?? [] },
      )
      return { items }
    },
    valuesOf: form =>
      Object.fromEntries(all.map(field => [field.name, valueOfText(field, form[field.name] ?? '') ?? null])),
  }
}

function errorOf(field: Field | undefined, value: unknown, pointer: string): FieldError[] {
  if (!field) return [{ pointer, code: 'unknown_field', detail: 'is not a field of the profile' }]
  if (value === null) return field.required ? [{ pointer, code: 'required', detail: 'is required' }] : []
  const detail = valueError(field, value)
  return detail === undefined ? [] : [{ pointer, code: 'invalid_value', detail }]
}
