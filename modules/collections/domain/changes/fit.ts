/** Whether the tables serve a recipe that is not the one that was applied last. Pure. */

import type { CollectionLayout, FieldLayout } from '../tables/layout.ts'
import type { StoredExpansion } from './expansion.ts'

export interface AppliedSchema {
  readonly layouts: readonly CollectionLayout[]
  readonly expansions: readonly StoredExpansion[]
}

/** What the recipe needs and the tables don't have; empty if requests work. */
export function misfits(wanted: readonly CollectionLayout[], applied: AppliedSchema): string[] {
  return wanted.flatMap(own => {
    const found = applied.layouts.find(({ name }) => name === own.name)
    if (!found || found.scope !== own.scope) return [`collection ${own.name} has no table`]
    const expansions = applied.expansions.filter(({ collection, complete }) => collection === own.name && complete)
    return [
      ...own.fields.flatMap(field => {
        const stored = storedField(field.name, found, expansions)
        if (!stored) return [`field ${own.name}.${field.name} is not stored`]
        return isSameStorage(field, stored) ? [] : [`field ${own.name}.${field.name} has another type`]
      }),
      ...found.fields.flatMap(field => {
        const isKnown = own.fields.some(({ name }) => storedField(name, found, expansions) === field)
        return isKnown || !isDemanded(field, expansions) ? [] : [`field ${own.name}.${field.name} is required`]
      }),
      ...(own.search.length > 0 && found.search.length === 0 ? [`collection ${own.name} has no search`] : []),
    ]
  })
}

/** The field that has this name, or the other one of a rename. */
function storedField(
  name: string,
  { fields }: CollectionLayout,
  expansions: readonly StoredExpansion[],
): FieldLayout | undefined {
  const found = fields.find(field => field.name === name)
  if (found) return found
  const other = expansions.flatMap(({ names }) => {
    if (names?.kept.name === name) return [names.copy.name]
    return names?.copy.name === name ? [names.kept.name] : []
  })
  return fields.find(field => other.includes(field.name))
}

const isSameStorage = (own: FieldLayout, stored: FieldLayout): boolean =>
  own.columnType === stored.columnType &&
  (own.joinTable === null) === (stored.joinTable === null) &&
  own.reference?.table === stored.reference?.table

/** Whether a process that doesn't know the field can't create rows. A column with a default or a trigger fills itself. */
const isDemanded = (
  { name, required, expression, default: value }: FieldLayout,
  expansions: readonly StoredExpansion[],
) =>
  required &&
  expression === null &&
  value === null &&
  !expansions.some(({ kind, field }) => kind === 'value' && field === name)
