/** Permissions, grants, events and usage counts of collections. */
import {
  type Declarations,
  type Deps,
  internalProperty,
  type LocalText,
  publicEvent,
  type TSchema,
  Type,
} from '@larder-dev/larder/kernel'
import { schemaNames } from '../domain/declarations/api-names.ts'
import type { Action, Collection, Collections } from '../domain/declarations/collection.ts'
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
            scope: 'tenant' as const,
            ...(collection.scope === 'shared' && { operatorOnly: true }),
          },
        ]),
      ),
    ),
    grants: grantsOf(all),
    events: Object.fromEntries(all.flatMap(eventsOf)),
    usage: usageOf(all),
  }
}

/** `Course: create`, in each language of the label; `locales/` translates the words behind it. */
const about = ({ label }: Collection, words: string): LocalText =>
  typeof label === 'string'
    ? `${label}: ${words}`
    : Object.fromEntries(Object.entries(label).map(([locale, text]) => [locale, `${text}: ${words}`]))

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
  const names = schemaNames(collection)
  const event = (kind: string, words: string, payload: TSchema): [type: string, schema: TSchema] => [
    `collections.${collection.name}.${kind}`,
    publicEvent(about(collection, words), payload, names.event(kind)),
  ]
  return [
    event('created', 'created', Type.Object({ row, bulk })),
    event('updated', 'changed', Type.Object({ row, changed, previous, bulk })),
    event('deleted', 'deleted', Type.Object({ row })),
  ]
}

/** Entitlement → number of rows in all collections that it limits. */
function usageOf(collections: readonly Collection[]): Declarations<Deps<'database'>>['usage'] {
  const limits = new Set(collections.flatMap(({ limit }) => limit ?? []))
  return Object.fromEntries(
    [...limits].map(limit => {
      const counts = collections
        .filter(collection => collection.limit === limit)
        .map(({ table }) => `(select count(*)::int from "${table}" where tenant_id = $1 and deleted_at is null)`)
      const sql = `select ${counts.join(' + ')} as count`
      return [
        limit,
        async ({ database }: Deps<'database'>, tenantId: string) => {
          const { rows } = await database.tenant(tenantId).query<{ count: number }>(sql, [tenantId])
          return rows[0]?.count ?? 0
        },
      ]
    }),
  )
}
