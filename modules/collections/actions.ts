/** What automations can do with rows. Access rules don't apply to them. */
import {
  type ActionRecipe,
  action,
  type CheckedStep,
  type Deps,
  isRecord,
  isWrittenOut,
  literalValue,
  RowValue,
  type StepMistake,
  type StepShape,
  type TSchema,
  Type,
} from '@larder-dev/larder/kernel'
import type { Collection, Collections } from './domain/declarations/collection.ts'
import type { DeclaredCollection } from './domain/declarations/declaration.ts'
import { eventStateFields } from './domain/fields/field-lists.ts'
import { stateEvents as eventsOfState, reachedStates } from './domain/fields/states.ts'
import { codeSchema } from './domain/rows/row-schemas.ts'
import { problems } from './problems.ts'
import { allCollections } from './recipe/module-collections.ts'
import { suggest } from './recipe/report.ts'
import type { CollectionServices } from './services.ts'

const closed = { additionalProperties: false }
const Name = literalValue(Type.String({ maxLength: 64, examples: ['tickets'] }))
const Values = Type.Record(Type.String(), Type.Unknown())
const Row = Type.Object({ collection: Type.String(), id: Type.String() })

type Needs = Deps<'collections' | 'operator'> & Pick<CollectionServices, 'collectionMap'>
interface Run {
  readonly tenantId: string
  readonly automation: string
}

export const actions = {
  create: action({
    title: { en: 'Create a row', de: 'Zeile anlegen' },
    description: {
      en: 'Creates a row of a collection, as the product does: access rules do not apply',
      de: 'Legt im Namen des Produkts eine Zeile einer Sammlung an: Zugriffsregeln gelten nicht',
    },
    input: Type.Object({ collection: Name, values: Values }, closed),
    output: Row,
    effects: 'database',
    check: ({ collection, values }, recipe) =>
      checkValues(collection, 'values', values, 'create', recipe, { collection: Name }),
    async run(deps: Needs, { collection, values }, context) {
      const { id } = await storeOf(deps, collection, context).create(values)
      return { collection, id }
    },
  }),

  update: action({
    title: { en: 'Change a row', de: 'Zeile ändern' },
    description: {
      en: 'Sets fields of a row, as the product does: access rules do not apply',
      de: 'Setzt im Namen des Produkts Felder einer Zeile: Zugriffsregeln gelten nicht',
    },
    input: Type.Object({ row: RowValue, set: Values }, closed),
    output: Row,
    effects: 'database',
    check: ({ row, set }, recipe, step) =>
      checkValues(nameOf(row, step), 'set', set, 'update', recipe, { row: RowValue }),
    async run(deps: Needs, { row: { collection, id }, set }, context) {
      await storeOf(deps, collection, context).update(id, set)
      return { collection, id }
    },
  }),

  delete: action({
    title: { en: 'Delete a row', de: 'Zeile löschen' },
    description: {
      en: 'Deletes a row, or moves it to the trash of its collection',
      de: 'Löscht eine Zeile oder verschiebt sie in den Papierkorb ihrer Sammlung',
    },
    input: Type.Object({ row: RowValue }, closed),
    effects: 'database',
    check: ({ row }, _recipe, step) => ({ events: eventOf(nameOf(row, step), 'deleted') }),
    async run(deps: Needs, { row: { collection, id } }, context) {
      await storeOf(deps, collection, context).delete(id)
    },
  }),
}

/** The history names the automation. */
function storeOf({ collections, collectionMap, operator }: Needs, name: string, { tenantId, automation }: Run) {
  const collection = collectionMap.get(name)
  if (!collection) throw problems.unknown_collection({ name })
  if (collection.scope === 'shared' && tenantId !== operator.tenantId) throw problems.rows_elsewhere({ name })
  return collections.rows(name, { tenantId, actor: `automation ${automation}` })
}

const nameOf = (row: unknown, step: CheckedStep): string | undefined =>
  isRecord(row) && typeof row.collection === 'string' ? row.collection : step.collectionOf(row)

const eventOf = (collection: string | undefined, kind: 'created' | 'updated' | 'deleted'): readonly string[] =>
  collection === undefined ? [] : [`collections.${collection}.${kind}`]

/** A check reads the same recipe for each step. */
const known = new WeakMap<ActionRecipe, Collections>()
function collectionsOf(recipe: ActionRecipe): Collections {
  const found =
    known.get(recipe) ??
    allCollections(
      (recipe.section('collections') ?? {}) as Readonly<Record<string, DeclaredCollection>>,
      recipe.modules,
      (_path, file) => file,
    )
  known.set(recipe, found)
  return found
}

/** @param part of the input that has the values. @param others its other properties. */
function checkValues(
  name: unknown,
  part: 'values' | 'set',
  written: unknown,
  action: 'create' | 'update',
  recipe: ActionRecipe,
  others: Readonly<Record<string, TSchema>>,
): StepShape {
  if (!isWrittenOut(name)) return {}
  const collections = collectionsOf(recipe)
  const collection = collections.get(name)
  if (!collection) {
    if (!recipe.complete) return {}
    const hint = suggest(name, [...collections.keys()], 'Collections')
    const path = action === 'create' ? ['collection'] : ['row']
    return { mistakes: [{ path, code: 'unknown_collection', message: `Unknown collection "${name}"`, hint }] }
  }
  const schema = codeSchema(collection, action)
  const given = Type.Unsafe<Readonly<Record<string, unknown>>>(schema)
  return {
    output: Type.Object({ collection: Type.Literal(name), id: Type.String() }),
    input: Type.Object({ ...others, [part]: given }, closed),
    events:
      action === 'create'
        ? eventOf(name, 'created')
        : [...eventOf(name, 'updated'), ...stateEvents(collection, written)],
    ...(action === 'update' && isRecord(written) && { changes: Object.keys(written) }),
    mistakes: isRecord(written) ? fieldMistakes(collection, Object.keys(written), schema, part) : [],
  }
}

/** The events of the states that a step may set. */
const stateEvents = (collection: Collection, written: unknown): string[] =>
  eventStateFields(collection).flatMap(field => {
    const state = isRecord(written) ? written[field.name] : '{{ }}'
    if (state === undefined) return []
    const states = isWrittenOut(state) ? [state] : reachedStates(field)
    return states.flatMap(each => eventsOfState(collection, field, each).map(({ event }) => event))
  })

function fieldMistakes(
  collection: Collection,
  given: readonly string[],
  { properties }: Readonly<Record<string, unknown>>,
  part: string,
): StepMistake[] {
  const writable = Object.keys(properties as Readonly<Record<string, unknown>>)
  return given
    .filter(name => !writable.includes(name))
    .map(name => {
      const path = [part, name]
      if (collection.fields.has(name))
        return { path, code: 'field_not_writable', message: `The field "${name}" can't be set`, hint: 'Remove it' }
      const hint = suggest(name, writable, 'Fields')
      const message = `Unknown field "${name}" of collection "${collection.name}"`
      return { path, code: 'unknown_field', message, hint }
    })
}
