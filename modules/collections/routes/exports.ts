/** The routes of exports. */
import {
  type AnyRoute,
  common,
  type Deps,
  MINUTE,
  Nullable,
  named,
  OneOf,
  type RateLimit,
  reply,
  route,
  Type,
} from '@larder-dev/larder/kernel'
import { operationIds } from '../domain/declarations/api-names.ts'
import type { Collection } from '../domain/declarations/collection.ts'
import type { ExportRecord } from '../domain/exports/export-record.ts'
import { readFailure } from '../domain/rights/stored-caller.ts'
import type { View } from '../domain/rights/view.ts'
import { problems } from '../problems.ts'
import { EXPORT_RETENTION_MS } from '../services/exports/export-store.ts'
import { assertMayRead } from '../services/write-access.ts'
import type { CollectionServices } from '../services.ts'
import { type SayWording, sayIn, toFailure } from './failure-texts.ts'
import { exportQuerySchema, pageQuerySchema } from './row-query-schemas.ts'
import { type ReadRequest, readers } from './row-requests.ts'

export const EXPORT_LIMIT: RateLimit = { name: 'collections.export', points: 30, window: MINUTE, by: 'principal' }

const TYPES = { csv: 'text/csv; charset=utf-8', ndjson: 'application/x-ndjson; charset=utf-8' } as const

const ExportRows = named(
  'ExportRows',
  Type.Object({
    total: Nullable(Type.Integer({ description: 'Counted when the export starts' })),
    exported: Type.Integer(),
  }),
)
/** Its name differs from `ExportFailure`, which generators of clients derive from the property of `Export`. */
export const FailureReason = named('FailureReason', Type.Object({ code: Type.String(), detail: Type.String() }))
const Export = named(
  'Export',
  Type.Object({
    id: Type.String({ description: 'exp_…' }),
    collection: Type.String(),
    state: OneOf(['queued', 'running', 'succeeded', 'failed', 'canceled']),
    format: OneOf(['csv', 'ndjson']),
    rows: ExportRows,
    bytes: Type.Integer({ description: 'Size of the file' }),
    failure: Nullable(FailureReason),
    createdBy: Type.String({ description: 'User ID' }),
    createdAt: Type.String({ format: 'date-time' }),
    finishedAt: Nullable(Type.String({ format: 'date-time' })),
    expiresAt: Type.String({ format: 'date-time', description: 'When the export and its file are deleted' }),
  }),
)
const ExportList = named('ExportList', Type.Object({ data: Type.Array(Export), nextCursor: Nullable(Type.String()) }))

export function exportRoutes(
  deps: Pick<CollectionServices, 'collectionMap' | 'exports' | 'view'> & Deps<'product' | 'theme'>,
  collection: Collection,
): AnyRoute<never>[] {
  const { exports } = deps
  const { name } = collection
  const ids = operationIds(collection)
  const path = `/data/${name}/exports` as const
  const allow = readers(collection)

  /** Throws `forbidden`. The export is kept in the workspace that the request names. */
  async function viewOf({ caller, tenantId }: Pick<ReadRequest, 'caller' | 'tenantId'>): Promise<View> {
    if (tenantId === undefined) throw common.tenant_required()
    const view = await deps.view(caller, tenantId, collection)
    assertMayRead(view, collection)
    return view
  }

  const create = route({
    method: 'post',
    path,
    operationId: ids.export,
    summary: `Exports rows of ${name} to a file, in the background. The parameters are those of the list.`,
    allow,
    // Exports belong to the person in whose name the operator acts.
    impersonation: false,
    limits: [EXPORT_LIMIT],
    query: exportQuerySchema(collection, deps.collectionMap),
    replies: { 202: Export },
    problems: [problems.too_many_exports],
    async handle({ query: { format = 'csv', ...query }, ...input }) {
      const record = await exports.create(await viewOf(input), collection, format, query)
      return reply(202, toExport(record, sayIn(deps, input.request.headers)), {
        location: `/v1${path}/${record.id}`,
      })
    },
  })
  const list = route({
    method: 'get',
    path,
    operationId: ids.listExports,
    summary: `Lists exports of ${name}, newest first: the caller's own, or all of them for owners.`,
    allow,
    query: pageQuerySchema,
    replies: { 200: ExportList },
    async handle({ query, ...input }) {
      const page = await exports.list(await viewOf(input), collection, query)
      return { ...page, data: page.data.map(record => toExport(record, sayIn(deps, input.request.headers))) }
    },
  })
  const get = route({
    method: 'get',
    path: `${path}/:id`,
    operationId: ids.getExport,
    summary: `Returns an export of ${name} with its progress.`,
    allow,
    replies: { 200: Export },
    handle: async ({ params, ...input }) =>
      toExport(await exports.get(await viewOf(input), collection, params.id), sayIn(deps, input.request.headers)),
  })
  const file = route({
    method: 'get',
    path: `${path}/:id/file`,
    operationId: ids.downloadExport,
    summary: `Returns the file of an export of ${name}.`,
    allow,
    replies: { 200: null },
    texts: ['text/csv', 'application/x-ndjson'],
    problems: [problems.export_not_ready],
    async handle({ params, ...input }) {
      const { record, content } = await exports.file(await viewOf(input), collection, params.id)
      return reply(200, content, {
        'content-type': TYPES[record.format],
        'content-disposition': `attachment; filename="${name}.${record.format}"`,
      })
    },
  })
  const remove = route({
    method: 'delete',
    path: `${path}/:id`,
    operationId: ids.deleteExport,
    summary: `Cancels an export of ${name} that is running, and deletes its file.`,
    allow,
    impersonation: false,
    replies: { 204: null },
    handle: async ({ params, ...input }) => exports.remove(await viewOf(input), collection, params.id),
  })
  return [create, list, get, file, remove] as AnyRoute<never>[]
}

const toExport = (record: ExportRecord, say: SayWording) => ({
  id: record.id,
  collection: record.collection,
  state: record.state,
  format: record.format,
  rows: { total: record.totalRows, exported: record.exportedRows },
  bytes: record.bytes,
  failure: toFailure(readFailure(record.failure), say),
  createdBy: record.createdBy,
  createdAt: record.createdAt.toISOString(),
  finishedAt: record.finishedAt?.toISOString() ?? null,
  expiresAt: new Date(record.createdAt.getTime() + EXPORT_RETENTION_MS).toISOString(),
})
