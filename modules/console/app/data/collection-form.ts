/** Forms of the rows of a collection. Pure. */
import { type Collection, conditionOf, nextStates } from './collection.ts'
import type { Field, FieldKind, FormValues } from './form-model.ts'

const KINDS: Readonly<Record<string, FieldKind>> = {
  money: 'money',
  reference: 'reference',
  member: 'member',
  file: 'file',
  longtext: 'longText',
  markdown: 'longText',
}

/** Fields of a form whose kinds are those of the collection: a reference is chosen, an amount has a currency. */
export const withCollection = (
  fields: readonly Field[],
  collection: Pick<Collection, 'fields'> | undefined,
): readonly Field[] =>
  fields.map(field => {
    const source = collection?.fields[field.name]
    const kind = source && KINDS[source.type]
    return source ? { ...field, source, ...(kind && { kind }) } : field
  })

/** A new row has one of the first states. The state of a row changes by the buttons of its screen. */
export const withStates = (fields: readonly Field[], isNew: boolean): readonly Field[] =>
  fields.flatMap(field => {
    const states = field.source?.states
    if (!states) return field
    return isNew && (field.required || states.initial.length > 1) ? { ...field, options: states.initial } : []
  })

/** The states that all of these rows may come into, as the choices of a form for all of them. */
export const commonStates = (
  fields: readonly Field[],
  rows: readonly Readonly<Record<string, unknown>>[],
  roles: readonly string[],
): readonly Field[] =>
  fields.flatMap(field => {
    const { source } = field
    if (!source?.states) return []
    const each = rows.map(row => nextStates(source, row[field.name], roles))
    const options = (each[0] ?? []).filter(state => each.every(next => next.includes(state)))
    return options.length > 0 ? [{ ...field, options }] : []
  })

/**
 * The form of a new row begins with its defaults, and says where others come from.
 * @param words by the variable, `expression` or `onUpdate`.
 */
export const withDefaults = (
  fields: readonly Field[],
  isNew: boolean,
  words: Readonly<Record<string, string>>,
): readonly Field[] =>
  fields.map(field => {
    const { default: standard, defaultFrom, onUpdate } = field.source ?? {}
    const schema = isNew && standard !== undefined ? { ...field.schema, default: standard } : field.schema
    const hint = words[(isNew ? defaultFrom : onUpdate && 'onUpdate') ?? '']
    const description = hint === undefined ? field.description : [field.description, hint].filter(Boolean).join(' ')
    return { ...field, schema, description }
  })

/** What a new row of a related list refers to: `filter[author]` of the list of an author's books. */
export const valuesOfScope = (fields: readonly Field[], scope: Readonly<Record<string, string>>): FormValues =>
  Object.fromEntries(
    Object.entries(scope).flatMap(([parameter, key]) => {
      const name = conditionOf(parameter)?.field
      const field = fields.find(each => each.kind === 'reference' && each.name === name)
      return field ? [[field.name, field.source?.reference?.many ? [key] : key]] : []
    }),
  )
