/** Lists of the fields of a collection, which are made once. Pure. */
import type { Collection, Field } from '../declarations/collection.ts'

export type FieldList = (collection: Collection) => readonly Field[]

function fieldList(accepts: (field: Field) => boolean): FieldList {
  const lists = new WeakMap<Collection, readonly Field[]>()
  return collection => {
    const known = lists.get(collection)
    if (known) return known
    const made = [...collection.fields.values()].filter(accepts)
    lists.set(collection, made)
    return made
  }
}

/** Fields with a column that a statement writes. */
export const writtenFields = fieldList(({ type, reference }) => type !== 'computed' && !reference?.many)
export const computedFields = fieldList(({ type }) => type === 'computed')
/** Fields whose value PostgreSQL makes: a new row has it when it is written. */
export const databaseFields = fieldList(({ type, sequence }) => type === 'computed' || sequence !== undefined)
/** The field with the number of a row; at most one. */
export const numberedFields = fieldList(({ sequence }) => sequence !== undefined)
export const variableDefaults = fieldList(({ defaultFrom }) => defaultFrom !== undefined && 'variable' in defaultFrom)
export const expressionDefaults = fieldList(
  ({ defaultFrom }) => defaultFrom !== undefined && 'expression' in defaultFrom,
)
/** Those that each change of a row sets. */
export const changeTimes = fieldList(({ onUpdate }) => onUpdate !== undefined)
/** All but computed fields. */
export const givenFields = fieldList(({ type }) => type !== 'computed')
export const manyFields = fieldList(({ reference }) => reference?.many === true)
export const referenceFields = fieldList(({ reference }) => reference !== undefined)
export const fileFields = fieldList(({ type }) => type === 'file')
export const memberFields = fieldList(({ type }) => type === 'member')
/** Slugs that are made from another field. */
export const derivedSlugs = fieldList(({ from }) => from !== undefined)
export const requiredFields = fieldList(({ required, type }) => required && type !== 'computed')
/** Enums whose values are the states of a row. */
export const stateFields = fieldList(({ states }) => states !== undefined)
/** Those of them whose transitions have events. */
export const eventStateFields = fieldList(field => field.states !== undefined && !field.private)
export const privateFields = fieldList(field => field.private)
export const shownFields = fieldList(field => !field.private)

/** The name of the field that a reader recognizes a row by. */
export function rowLabel(collection: Collection): string {
  const [first] = collection.search
  const text = shownFields(collection).find(({ type }) => ['text', 'slug', 'email'].includes(type))
  return first ?? text?.name ?? 'id'
}
