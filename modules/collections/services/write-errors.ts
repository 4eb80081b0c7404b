/** Maps violations of constraints to problems that name fields, never values. */
import {
  type FieldError,
  fieldError,
  invalidFields,
  isUniqueViolation,
  Problem,
  wording,
} from '@larder-dev/larder/kernel'
import { withName } from '../domain/changes/expansion.ts'
import type { Collection, Collections, Periods } from '../domain/declarations/collection.ts'
import { columnName, joinTableName } from '../domain/declarations/naming.ts'
import { pointerOf } from '../domain/rows/row-values.ts'
import { type CollectionLayout, layoutOf } from '../domain/tables/layout.ts'
import { foreignKeysOf, indexesOf } from '../domain/tables/table-sql.ts'
import { problems } from '../problems.ts'

const NOT_NULL_VIOLATION = '23502'
const FOREIGN_KEY_VIOLATION = '23503'
const EXCLUSION_VIOLATION = '23P01'
/** A key has more than about 2,700 bytes. */
const PROGRAM_LIMIT_EXCEEDED = '54000'

interface Constraints {
  /** Name of a unique index → names of its fields. */
  readonly unique: ReadonlyMap<string, readonly string[]>
  /** Name of any other index → names of its fields. */
  readonly indexes: ReadonlyMap<string, readonly string[]>
  /** Name of a foreign key → name of its field. */
  readonly references: ReadonlyMap<string, string>
  /** Column → name of its field. */
  readonly columns: ReadonlyMap<string, string>
}

export type RethrowWriteError = (collection: Collection, error: unknown, pointer?: string) => never
export type RethrowDeleteError = (error: unknown) => never

export const takenErrors = (fields: readonly string[], pointer = ''): FieldError[] =>
  fields.map(name =>
    fieldError(
      pointerOf(pointer, name),
      'taken',
      fields.length > 1
        ? wording('is taken together with {others}', { others: fields.filter(other => other !== name) })
        : wording('is taken'),
    ),
  )
/** @param id of the other row, if the caller may read it. */
export const overlapErrors = ({ from, to }: Periods, pointer = '', id?: string): FieldError[] =>
  [from, to].map(name =>
    fieldError(
      pointerOf(pointer, name),
      'overlaps',
      id === undefined ? wording('overlaps with another row') : wording('overlaps with row {id}', { id }),
    ),
  )
/** @param max how many rows can refer to the row, if the caller may know. */
export const fullErrors = (field: string, pointer = '', max?: number): FieldError[] => [
  fieldError(
    pointerOf(pointer, field),
    'full',
    max === undefined
      ? wording('is full')
      : max === 0
        ? wording('has no places')
        : max === 1
          ? wording('is full: its only place is taken')
          : wording('is full: all {max} places are taken', { max }),
  ),
]
/** Returns the errors of a key whose values together exceed the size of an index entry. */
const tooLongErrors = (fields: readonly string[], pointer: string): FieldError[] =>
  fields.map(name => {
    const others = fields.filter(other => other !== name)
    const text = others.length > 0 ? wording('is too long together with {others}', { others }) : wording('is too long')
    return fieldError(pointerOf(pointer, name), 'too_long', text)
  })
export const missingReference = (pointer: string, name: string): FieldError =>
  fieldError(pointerOf(pointer, name), 'not_found', wording('must be the ID of an existing row'))

/** Names of the fields whose values are taken; undefined for other errors. */
export type TakenFields = (collection: Collection, error: unknown) => readonly string[] | undefined

export interface WriteErrors {
  readonly rethrow: RethrowWriteError
  /** Translates the error of a deletion that other rows prevent. */
  readonly rethrowDelete: RethrowDeleteError
  readonly takenFields: TakenFields
}

export function createWriteErrors({
  collectionMap: collections,
}: {
  readonly collectionMap: Collections
}): WriteErrors {
  const constraints = new Map<string, Constraints>()
  function constraintsOf(collection: Collection): Constraints {
    const known = constraints.get(collection.name)
    if (known) return known
    const forms = storedForms(collection, layoutOf(collection, collections))
    const indexes = forms.flatMap(({ layout, nameOf }) =>
      indexesOf(layout).map(({ name, unique, fields }) => ({ name, unique, fields: fields.map(nameOf) })),
    )
    const made = {
      unique: new Map(indexes.flatMap(({ unique, name, fields }) => (unique ? [[name, fields]] : []))),
      indexes: new Map(indexes.map(({ name, fields }) => [name, fields])),
      references: new Map(
        forms.flatMap(({ layout, nameOf }) =>
          layout.fields.flatMap(field =>
            foreignKeysOf(field, layout).map(({ name }) => [name, nameOf(field.name)] as const),
          ),
        ),
      ),
      columns: new Map(
        forms.flatMap(({ layout, nameOf }) => layout.fields.map(({ name, column }) => [column, nameOf(name)] as const)),
      ),
    }
    constraints.set(collection.name, made)
    return made
  }
  const takenFields: TakenFields = (collection, error) =>
    isUniqueViolation(error) ? constraintsOf(collection).unique.get(constraintOf(error)) : undefined

  return {
    takenFields,
    rethrow(collection, error, pointer = '') {
      if (Problem.is(error)) throw error
      const taken = takenFields(collection, error)
      if (taken) throw problems.value_taken({}, { errors: takenErrors(taken, pointer) })
      if (codeOf(error) === FOREIGN_KEY_VIOLATION) {
        const field = constraintsOf(collection).references.get(constraintOf(error))
        if (field !== undefined) throw invalidFields([missingReference(pointer, field)])
      }
      // Another row was written meanwhile by something that doesn't wait its turn, such as a process of another recipe.
      if (codeOf(error) === EXCLUSION_VIOLATION && collection.noOverlap)
        throw problems.period_taken({}, { errors: overlapErrors(collection.noOverlap, pointer), rows: [] })
      // A later recipe requires the field.
      if (codeOf(error) === NOT_NULL_VIOLATION) {
        const field = constraintsOf(collection).columns.get(String(Reflect.get(error as object, 'column')))
        if (field !== undefined)
          throw invalidFields([fieldError(pointerOf(pointer, field), 'required', wording('is required'))])
      }
      if (codeOf(error) === PROGRAM_LIMIT_EXCEEDED) {
        const [, index = ''] = /for index "([^"]+)"/.exec((error as Error).message) ?? []
        const fields = constraintsOf(collection).indexes.get(index) ?? []
        if (fields.length > 0) throw invalidFields(tooLongErrors(fields, pointer))
      }
      throw error
    },
    rethrowDelete(error) {
      throw codeOf(error) === FOREIGN_KEY_VIOLATION ? problems.row_in_use() : error
    },
  }
}

interface StoredForm {
  readonly layout: CollectionLayout
  /** Name of a field in the layout → its name in the recipe. */
  nameOf(field: string): string
}

/** While a renamed field serves two recipes, its keys have their former names. */
function storedForms({ name, fields }: Collection, layout: CollectionLayout): StoredForm[] {
  const renamed = layout.fields.flatMap(field => {
    const was = fields.get(field.name)?.was
    if (was === undefined) return []
    const joinTable = field.joinTable === null ? null : joinTableName(name, was)
    return [{ now: field.name, before: { name: was, column: columnName(was), joinTable } }]
  })
  const form = (some: typeof renamed): StoredForm => ({
    layout: some.reduce((form, { now, before }) => withName(form, now, before), layout),
    nameOf: field => some.find(({ before }) => before.name === field)?.now ?? field,
  })
  return [form([]), form(renamed), ...renamed.map(one => form([one]))]
}

const codeOf = (error: unknown): unknown => (error instanceof Error ? Reflect.get(error, 'code') : undefined)
const constraintOf = (error: unknown): string => String(Reflect.get(error as object, 'constraint'))
