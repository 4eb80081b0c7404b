/** The rows of collections, for the check of automations. */
import type { ActionRecipe, Registrations, TSchema } from '@larder-dev/larder/kernel'
import { isOpen } from '../domain/declarations/collection.ts'
import type { DeclaredCollection } from '../domain/declarations/declaration.ts'
import { eventStateFields } from '../domain/fields/field-lists.ts'
import { reachedStates, stateEvents } from '../domain/fields/states.ts'
import { wholeRowSchema } from '../domain/rows/row-schemas.ts'
import { allCollections } from './module-collections.ts'

type Rows = ReturnType<Registrations['automationRows']['constant']>[number]

export function automationRows(recipe: Pick<ActionRecipe, 'modules' | 'section'>): readonly Rows[] {
  const declared = (recipe.section('collections') ?? {}) as Readonly<Record<string, DeclaredCollection>>
  return [...allCollections(declared, recipe.modules, (_path, file) => file).values()].map(collection => {
    const fields = [...collection.fields.values()]
    return {
      collection: collection.name,
      row: wholeRowSchema(collection) as TSchema,
      publicFields: fields.flatMap(field => (field.private ? [] : field.name)),
      privateFields: fields.flatMap(field => (field.private ? field.name : [])),
      openFields: fields.flatMap(field => (field.private || field.readRoles !== undefined ? [] : field.name)),
      events: {
        created: `collections.${collection.name}.created`,
        updated: `collections.${collection.name}.updated`,
        deleted: `collections.${collection.name}.deleted`,
      },
      stateEvents: eventStateFields(collection).flatMap(field =>
        reachedStates(field).flatMap(state => stateEvents(collection, field, state).map(({ event }) => event)),
      ),
      dates: {
        createdAt: 'datetime',
        updatedAt: 'datetime',
        ...Object.fromEntries(
          fields.flatMap(({ name, type }) => (type === 'date' || type === 'datetime' ? [[name, type] as const] : [])),
        ),
      },
      references: Object.fromEntries(
        fields.flatMap(({ name, type, reference }) =>
          reference && !reference.many ? [[name, reference.to]] : type === 'member' ? [[name, 'member']] : [],
        ),
      ),
      readers: isOpen(collection) ? 'everybody' : Object.keys(collection.access.actions.read),
      isShared: collection.scope === 'shared',
    }
  })
}
