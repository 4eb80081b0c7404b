/** The routes of deleted rows, for collections with a trash. */
import { type AnyRoute, common, reply, route } from '@larder-dev/larder/kernel'
import { createCursorMark } from '@larder-dev/larder/kernel/internal'
import { operationIds } from '../domain/declarations/api-names.ts'
import type { Collection } from '../domain/declarations/collection.ts'
import { permissionOf } from '../domain/rights/access.ts'
import type { RowSchemas } from '../domain/rows/named-schemas.ts'
import { problems } from '../problems.ts'
import type { CollectionServices } from '../services.ts'
import { pageQuerySchema } from './row-query-schemas.ts'
import { JSON_TYPE, replyWithRow } from './row-requests.ts'

export function trashRoutes(
  deps: Pick<CollectionServices, 'hooks' | 'shown' | 'trash' | 'view'>,
  collection: Collection,
  { Row, DeletedList }: RowSchemas,
): AnyRoute<never>[] {
  const { hooks, trash, view } = deps
  const { name } = collection
  const ids = operationIds(collection)
  const path = `/data/${name}` as const
  const allow = permissionOf(collection, 'delete')
  const mark = createCursorMark(`get ${path}/trash`)

  const list = route({
    method: 'get',
    path: `${path}/trash`,
    operationId: ids.listDeleted,
    summary: `Lists rows of ${name} in the trash, the last deleted first.`,
    allow,
    query: pageQuerySchema,
    replies: { 200: DeletedList },
    async handle({ tenantId, caller, query }) {
      const page = mark.put(await trash.list(await view(caller, tenantId, collection), collection, query))
      return reply(200, JSON.stringify(page), { 'content-type': JSON_TYPE })
    },
  })

  const restore = route({
    method: 'post',
    path: `${path}/:id/restore`,
    operationId: ids.restore,
    summary: `Restores a row of ${name} from the trash. Supports If-Match.`,
    allow,
    replies: { 200: Row },
    problems: [
      ...(collection.limit === undefined ? [] : ['entitlement_exceeded']),
      ...(collection.access.guests ? [problems.guest_rows_full] : []),
      problems.value_taken,
      problems.period_taken,
      problems.capacity_reached,
      problems.reference_in_trash,
      problems.row_action_forbidden,
      ...hooks.problemsOf(collection),
      common.precondition_failed,
    ],
    // Refusals of hooks and constraints become problems after the unit has been rolled back.
    unit: 'own',
    async handle({ tenantId, caller, params, request: { headers } }) {
      const given = await view(caller, tenantId, collection)
      const row = await trash.restore(given, collection, { id: params.id, headers })
      return replyWithRow(deps, given, collection, row)
    },
  })
  return [list, restore] as AnyRoute<never>[]
}
