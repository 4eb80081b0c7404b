/** The collections, for the check of forms whose submissions create rows. */
import type { ActionRecipe, Registrations } from '@larder-dev/larder/kernel'
import type { DeclaredCollection } from '../domain/declarations/declaration.ts'
import { isFilled } from '../domain/fields/defaults.ts'
import { allCollections } from './module-collections.ts'

type Target = ReturnType<Registrations['formTargets']['constant']>[number]

export function formTargets(recipe: Pick<ActionRecipe, 'modules' | 'section'>): readonly Target[] {
  const declared = (recipe.section('collections') ?? {}) as Readonly<Record<string, DeclaredCollection>>
  return [...allCollections(declared, recipe.modules, (_path, file) => file).values()].map(
    ({ name, access, fields }) => ({
      collection: name,
      isOpen: access.guests !== undefined,
      fields: Object.fromEntries(
        [...fields.values()].map(field => [
          field.name,
          {
            type: field.type,
            many: field.reference?.many ?? false,
            required: field.required && !isFilled(field),
            values: field.states?.initial ?? field.values,
            writable: field.type !== 'computed' && !field.readOnly,
            restricted: field.writeRoles !== undefined,
          },
        ]),
      ),
    }),
  )
}
