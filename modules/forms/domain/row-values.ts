/** The values of a row that a submission creates, and its errors in terms of the form. Pure. */
import { type FieldError, isRecord } from '@larder-dev/larder/kernel'
import { type Json, toPointer } from './schema-traversal.ts'

/** Field of the row → field of the form, a nested one as `address.city`. */
export type FieldMap = Readonly<Record<string, string>>

export const pathOf = (field: string): readonly string[] => field.split('.')

/** A field that the entry lacks is left out, so that the row has its default. */
export const rowValues = (map: FieldMap, data: Json): Json =>
  Object.fromEntries(
    Object.entries(map).flatMap(([name, field]) => {
      const value = pathOf(field).reduce<unknown>(
        (part, key) => (isRecord(part) && Object.hasOwn(part, key) ? part[key] : undefined),
        data,
      )
      return value === undefined ? [] : [[name, value]]
    }),
  )

/** The errors of fields that the form has. Their pointers lead into the entry. */
export const entryErrorsOf = (map: FieldMap, errors: readonly FieldError[]): FieldError[] =>
  errors.flatMap(error => {
    const [, name = '', ...inside] = error.pointer.split('/')
    const field = Object.hasOwn(map, name) ? map[name] : undefined
    return field === undefined ? [] : [{ ...error, pointer: [toPointer(pathOf(field)), ...inside].join('/') }]
  })
