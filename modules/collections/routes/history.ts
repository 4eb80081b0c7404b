/** The routes of former versions, for collections with a history. */
import { type AnyRoute, type Deps, reply, route } from '@larder-dev/larder/kernel'
import { createCursorMark } from '@larder-dev/larder/kernel/internal'
import { operationIds } from '../domain/declarations/api-names.ts'
import type { Collection } from '../domain/declarations/collection.ts'
import { permissionOf } from '../domain/rights/access.ts'
import type { RowSchemas } from '../domain/rows/named-schemas.ts'
import type { CollectionServices } from '../services.ts'
import { pageQuerySchema } from './row-query-schemas.ts'
import { changeProblems, JSON_TYPE, readers, replyWithRow } from './row-requests.ts'

/** What `anyone` or `signedIn` opens has no history. */
export function historyRoutes(
  deps: Deps<'operator'> & Pick<CollectionServices, 'history' | 'hooks' | 'shown' | 'view'>,
  collection: Collection,
  { Row, VersionList }: RowSchemas,
): AnyRoute<never>[] {
  const { history, hooks, operator, view } = deps
  const { name } = collection
  const ids = operationIds(collection)
  const path = `/data/${name}/:id/history` as const
  const mark = createCursorMark(`get ${path}`)

  const list = route({
    method: 'get',
    path,
    operationId: ids.listVersions,
    summary: `Lists former versions of a row of ${name}, the newest first, with the changes that replaced them.`,
    allow: readers(collection),
    query: pageQuerySchema,
    replies: { 200: VersionList },
    async handle({ tenantId = operator.tenantId, caller, params, query }) {
      const page = mark.put(
        await history.list(await view(caller, tenantId, collection), collection, { id: params.id, ...query }),
      )
      return reply(200, JSON.stringify(page), { 'content-type': JSON_TYPE })
    },
  })

  const restore = route({
    method: 'post',
    path: `${path}/:revision/restore`,
    operationId: ids.restoreVersion,
    summary: `Sets the fields of a row of ${name} to their values in a former version. Supports If-Match.`,
    allow: permissionOf(collection, 'update'),
    replies: { 200: Row },
    problems: [...changeProblems(collection), ...hooks.problemsOf(collection)],
    // Refusals of hooks and constraints become problems after the unit has been rolled back.
    unit: 'own',
    async handle({ tenantId, caller, params: { id, revision }, request: { headers } }) {
      const given = await view(caller, tenantId, collection)
      const row = await history.restore(given, collection, { id, revision, headers })
      return replyWithRow(deps, given, collection, row)
    },
  })
  return [list, restore] as AnyRoute<never>[]
}
