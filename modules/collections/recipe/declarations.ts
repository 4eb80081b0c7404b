/** Permissions, grants, events and usage counts of collections. */
import {
  type Declarations,
  type Deps,
  internalProperty,
  type LocalText,
  pickText,
  publicEvent,
  type TSchema,
  Type,
} from '@larder-dev/larder/kernel'
import { schemaNames } from '../domain/declarations/api-names.ts'
import type { Action, Collection, Collections, Field } from '../domain/declarations/collection.ts'
import { eventStateFields } from '../domain/fields/field-lists.ts'
import { reachedStates, stateEvents } from '../domain/fields/states.ts'
import { permissionOf } from '../domain/rights/access.ts'

const ACTIONS: readonly Action[] = ['read', 'create', 'update', 'delete']
const VERBS: Readonly<Record<Action, string>> = {
  read: 'view',
  create: 'create',
  update: 'change',
  delete: 'delete',
}

export function declarations(collections: Collections): Declarations<Deps<'database'>> {
  const all = [...collections.values()]
  return {
    permissions: Object.fromEntries(
      all.flatMap(collection =>
        ACTIONS.map(action => [
          permissionOf(collection, action),
          {
            title: about(collection, VERBS[action]),
            customers: 'granted' as const,
            ...(collection.scope === 'shared' && { operatorOnly: true }),
          },
        ]),
      ),
    ),
    grants: grantsOf(all),
    events: Object.fromEntries(all.flatMap(eventsOf)),
    usage: usageOf(all),
    personalUsage: personalUsageOf(all),
  }
}

/** `Course: create`, in each language of the label; `locales/` translates the words behind it. */
const about = ({ label }: Collection, words: string): LocalText =>
  typeof label === 'string'
    ? `${label}: ${words}`
    : Object.fromEntries(Object.entries(label).map(([locale, text]) => [locale, `${text}: ${words}`]))

/** `Ticket: Status Solved`, in each language that a label has; the others have it in English. */
function stateTitle({ label }: Collection, field: Field, state: string): LocalText {
  const word = Object.hasOwn(field.valueLabels, state) ? (field.valueLabels[state] as LocalText) : state
  const locales = [...new Set(['en', ...[label, field.label, word].flatMap(localesOf)])]
  const title = (locale: string) =>
    `${pickText(label, locale, 'en')}: ${pickText(field.label, locale, 'en')} ${pickText(word, locale, 'en')}`
  return Object.fromEntries(locales.map(locale => [locale, title(locale)]))
}
const localesOf = (text: LocalText): string[] => (typeof text === 'string' ? [] : Object.keys(text))

/** Role → permissions that `access` gives it. */
function grantsOf(collections: readonly Collection[]): Record<string, string[]> {
  const grants: Record<string, string[]> = {}
  for (const collection of collections)
    for (const action of ACTIONS)
      for (const role of Object.keys(collection.access.actions[action])) {
        grants[role] ??= []
        grants[role].push(permissionOf(collection, action))
      }
  return grants
}

function eventsOf(collection: Collection): [type: string, schema: TSchema][] {
  const row = Type.Unsafe<Readonly<Record<string, unknown>>>({ type: 'object', description: 'Without private fields' })
  const changed = Type.Array(Type.String(), { description: 'Names of the changed fields' })
  const previous = Type.Optional(
    Type.Unsafe<Readonly<Record<string, unknown>>>({
      type: 'object',
      description: 'Former values of the changed fields, without private fields',
    }),
  )
  const bulk = Type.Optional(internalProperty(Type.Literal(true, { description: 'Written by an import' })))
  const updated = Type.Object({ row, changed, previous, bulk })
  const names = schemaNames(collection)
  const event = (kind: string, words: string, payload: TSchema): [type: string, schema: TSchema] => [
    `collections.${collection.name}.${kind}`,
    publicEvent(about(collection, words), payload, names.event(kind)),
  ]
  return [
    event('created', 'created', Type.Object({ row, bulk })),
    event('updated', 'changed', updated),
    event('deleted', 'deleted', Type.Object({ row })),
    ...eventStateFields(collection).flatMap(field =>
      reachedStates(field).flatMap(state =>
        stateEvents(collection, field, state).map(({ name, event }): [type: string, schema: TSchema] => [
          event,
          publicEvent(stateTitle(collection, field, state), updated, names.stateEvent(name, state)),
        ]),
      ),
    ),
  ]
}

/** Entitlement → SQL of the number of rows in all collections that it limits, without those of people who are not signed in. */
function countsOf(collections: readonly Collection[], where: string): readonly (readonly [string, string])[] {
  const limits = new Set(collections.flatMap(({ limit }) => limit ?? []))
  return [...limits].map(limit => {
    const counts = collections
      .filter(collection => collection.limit === limit)
      .map(({ table, access: { guests } }) => {
        const own = guests ? ' and not _guest' : ''
        return `(select count(*)::int from "${table}" where tenant_id = $1 and deleted_at is null${own}${where})`
      })
    return [limit, `select ${counts.join(' + ')} as count`]
  })
}

const usageOf = (collections: readonly Collection[]): Declarations<Deps<'database'>>['usage'] =>
  Object.fromEntries(
    countsOf(collections, '').map(([limit, sql]) => [
      limit,
      async ({ database }: Deps<'database'>, tenantId: string) => {
        const { rows } = await database.tenant(tenantId).query<{ count: number }>(sql, [tenantId])
        return rows[0]?.count ?? 0
      },
    ]),
  )

/** Entitlement → SQL of the number of rows that a person has created. */
export const personalCounts = (collections: readonly Collection[]) => countsOf(collections, ' and created_by = $2')

const personalUsageOf = (collections: readonly Collection[]): Declarations<Deps<'database'>>['personalUsage'] =>
  Object.fromEntries(
    personalCounts(collections).map(([limit, sql]) => [
      limit,
      async ({ database }: Deps<'database'>, tenantId: string, userId: string) => {
        const { rows } = await database.tenant(tenantId).query<{ count: number }>(sql, [tenantId, userId])
        return rows[0]?.count ?? 0
      },
    ]),
  )
