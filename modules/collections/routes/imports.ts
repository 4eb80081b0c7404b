/** The routes of imports. The file is the body of the request. */
import {
  type AnyRawRoute,
  type AnyRoute,
  common,
  type Deps,
  MINUTE,
  mediaTypeOf,
  Nullable,
  named,
  OneOf,
  type RateLimit,
  rawRoute,
  reply,
  route,
  Type,
  wording,
} from '@larder-dev/larder/kernel'
import { idempotencyKey } from '@larder-dev/larder/kernel/internal'
import { operationIds } from '../domain/declarations/api-names.ts'
import type { Collection } from '../domain/declarations/collection.ts'
import { AMOUNTS, type Amounts } from '../domain/imports/amounts.ts'
import type { ImportFormat, ImportRecord } from '../domain/imports/import-record.ts'
import { badParameter } from '../domain/queries/parameter-errors.ts'
import { permissionOf } from '../domain/rights/access.ts'
import { readFailure } from '../domain/rights/stored-caller.ts'
import { bySchema } from '../domain/rows/named-schemas.ts'
import { mediaTypes, problems } from '../problems.ts'
import type { ImportRuns } from '../services/imports/import-runs.ts'
import type { CollectionServices } from '../services.ts'
import { FailureReason } from './exports.ts'
import { type SayWording, sayIn, toFailure } from './failure-texts.ts'
import { pageQuerySchema } from './row-query-schemas.ts'

export const IMPORT_LIMIT: RateLimit = { name: 'collections.import', points: 30, window: MINUTE, by: 'principal' }
/** The limit for receiving the file. */
const UPLOAD_TIMEOUT_MS = 30 * MINUTE

const Id = Type.String({ description: 'imp_…' })
const ImportRows = named(
  'ImportRows',
  Type.Object({
    total: Type.Integer(),
    checked: Type.Integer({ description: 'Checked before the first row is written' }),
    processed: Type.Integer({ description: 'Created, updated or failed' }),
    created: Type.Integer(),
    updated: Type.Integer(),
    failed: Type.Integer({ description: 'With errors' }),
    runs: Type.Integer({
      description:
        'Runs of automations that the rows start at most: the valid ones of a dry run, or those that were written',
    }),
  }),
)
const Import = named(
  'Import',
  Type.Object({
    id: Id,
    collection: Type.String(),
    state: OneOf(['queued', 'checking', 'writing', 'succeeded', 'failed', 'canceled']),
    format: OneOf(['csv', 'ndjson']),
    by: Nullable(Type.String({ description: 'Unique field by which existing rows are found' })),
    onError: OneOf(['stop', 'skip']),
    dryRun: Type.Boolean(),
    rows: ImportRows,
    failure: Nullable(FailureReason),
    createdBy: Type.String({ description: 'User ID' }),
    createdAt: Type.String({ format: 'date-time' }),
    finishedAt: Nullable(Type.String({ format: 'date-time' })),
  }),
)
const nextCursor = Nullable(Type.String())
const ImportList = named('ImportList', Type.Object({ data: Type.Array(Import), nextCursor }))
const ImportRowError = named(
  'ImportRowError',
  Type.Object({
    row: Type.Integer({ description: 'Starts at 1, without the line of column names' }),
    line: Type.Integer({ description: 'Line of the file where the row begins' }),
    column: Nullable(Type.String({ description: 'Null for the row as a whole' })),
    code: Type.String(),
    detail: Type.String(),
  }),
)
const ImportErrorList = named('ImportErrorList', Type.Object({ data: Type.Array(ImportRowError), nextCursor }))
const IMPORT_FORMATS = ['csv', 'ndjson'] as const satisfies readonly ImportFormat[]

const importQuery = (collection: Collection) =>
  Type.Object({
    by: Type.Optional(bySchema(collection, 'Unique field: rows with a known value are updated, others created')),
    onError: Type.Optional(OneOf(['stop', 'skip'])),
    dryRun: Type.Optional(Type.Boolean({ description: 'Only checks the rows' })),
    amounts: Type.Optional(
      OneOf(AMOUNTS, {
        description:
          'Unit of amounts of money in CSV whose column names no currency, as `price (EUR)` does. Without it, a column of whole numbers only is refused',
      }),
    ),
    format: Type.Optional(OneOf(IMPORT_FORMATS, { description: 'For a body of the type application/octet-stream' })),
  })

export function importRoutes(
  {
    imports,
    importRuns,
    view,
    theme,
    product,
  }: Pick<CollectionServices, 'imports' | 'importRuns' | 'view'> & Deps<'product' | 'theme'>,
  collection: Collection,
): AnyRoute<never>[] {
  const ids = operationIds(collection)
  const toImport = importWith(importRuns)
  const path = `/data/${collection.name}/imports` as const
  const allow = permissionOf(collection, 'create')

  const list = route({
    method: 'get',
    path,
    operationId: ids.listImports,
    summary: `Lists imports into ${collection.name}, newest first: the caller's own, or all of them for owners.`,
    allow,
    query: pageQuerySchema,
    replies: { 200: ImportList },
    async handle({ tenantId, caller, query, request: { headers } }) {
      const page = await imports.list(await view(caller, tenantId, collection), collection, query)
      return { ...page, data: page.data.map(record => toImport(record, sayIn({ theme, product }, headers))) }
    },
  })
  const get = route({
    method: 'get',
    path: `${path}/:id`,
    operationId: ids.getImport,
    summary: `Returns an import into ${collection.name} with its progress.`,
    allow,
    replies: { 200: Import },
    handle: async ({ tenantId, caller, params, request: { headers } }) =>
      toImport(
        await imports.get(await view(caller, tenantId, collection), collection, params.id),
        sayIn({ theme, product }, headers),
      ),
  })
  const errors = route({
    method: 'get',
    path: `${path}/:id/errors`,
    operationId: ids.listImportErrors,
    summary: 'Lists the first 1,000 errors of the rows of an import, in the order of the file.',
    description: 'Their `detail` is in the language of `Accept-Language`.',
    allow,
    query: pageQuerySchema,
    replies: { 200: ImportErrorList },
    async handle({ tenantId, caller, params, query, request: { headers } }) {
      const { data, nextCursor } = await imports.errors(
        await view(caller, tenantId, collection),
        collection,
        params.id,
        query,
      )
      const say = sayIn({ theme, product }, headers)
      return { data: data.map(({ wording: text, ...error }) => ({ ...error, detail: say(text) })), nextCursor }
    },
  })
  const cancel = route({
    method: 'post',
    path: `${path}/:id/cancel`,
    operationId: ids.cancelImport,
    summary: 'Cancels an import. Rows that have been written stay.',
    allow,
    replies: { 200: Import },
    problems: [problems.import_ended],
    handle: async ({ tenantId, caller, params, request: { headers } }) =>
      reply(
        200,
        toImport(
          await imports.cancel(await view(caller, tenantId, collection), collection, params.id),
          sayIn({ theme, product }, headers),
        ),
      ),
  })
  return [list, get, errors, cancel] as AnyRoute<never>[]
}

type UploadDeps = Pick<CollectionServices, 'imports' | 'importRuns' | 'view'> & Deps<'product' | 'theme'>

export const importUploadRoutes = (
  deps: UploadDeps & Pick<CollectionServices, 'collectionMap'>,
): AnyRawRoute<never>[] => [...deps.collectionMap.values()].map(collection => uploadRoute(deps, collection))

function uploadRoute(
  { imports, importRuns, view, theme, product }: UploadDeps,
  collection: Collection,
): AnyRawRoute<never> {
  const toImport = importWith(importRuns)
  const path = `/v1/data/${collection.name}/imports`
  return rawRoute({
    method: 'post',
    path,
    operationId: operationIds(collection).import,
    summary: `Imports rows into ${collection.name} from a CSV or NDJSON file, in the background.`,
    allow: permissionOf(collection, 'create'),
    limits: [IMPORT_LIMIT],
    timeoutMs: UPLOAD_TIMEOUT_MS,
    docs: {
      idempotent: true,
      query: importQuery(collection),
      // Generators of clients that know only bytes need a schema.
      body: { 'text/csv': null, 'application/x-ndjson': null, [BYTES]: Bytes },
      replies: { 202: { 'application/json': Import } },
      problems: [
        problems.import_columns_invalid,
        problems.import_encoding_invalid,
        problems.import_malformed,
        problems.import_empty,
        problems.import_too_large,
        problems.import_too_slow,
        problems.import_incomplete,
        problems.too_many_imports,
        common.unsupported_media_type,
      ],
    },
    async handle(request, response, { caller, tenantId }) {
      const { headers } = request
      const contentType = headers['content-type'] ?? ''
      const url = new URL(request.url, 'http://local')
      const { record, isReplayed } = await imports.uploads.receive(
        await view(caller, tenantId, collection),
        collection,
        {
          format: formatOf(contentType, url.searchParams.get('format'), headers['content-encoding']),
          ...optionsOf(url),
        },
        {
          body: request,
          contentType,
          idempotencyKey: idempotencyKey(headers),
          amounts: amountsOf(url),
        },
      )
      if (isReplayed) response.set('idempotent-replayed', 'true')
      response
        .status(202)
        .location(`${path}/${record.id}`)
        .set('cache-control', 'no-store')
        .json(toImport(record, sayIn({ theme, product }, headers)))
    },
  }) as AnyRawRoute<never>
}

const FORMATS: readonly (readonly [ImportFormat, RegExp])[] = [
  ['csv', /^(text|application)\/csv$/],
  ['ndjson', /^application\/(x-ndjson|ndjson|jsonl|x-jsonlines)$/],
]

const BYTES = 'application/octet-stream'
const Bytes = Type.String({ format: 'binary' })

/** @param given as a parameter, for clients that send bytes without their type. */
function formatOf(contentType: string, given: string | null, encoding: string | undefined): ImportFormat {
  const type = mediaTypeOf(contentType)
  const isBytes = type === BYTES
  const typed = FORMATS.find(([, pattern]) => pattern.test(type))?.[0]
  const named = IMPORT_FORMATS.find(format => format === given)
  if (given !== null && (named === undefined || (typed !== undefined && typed !== named)))
    throw badParameter(
      'format',
      'not_allowed',
      wording('must be one of {choices}, and that of Content-Type', { choices: IMPORT_FORMATS }),
    )
  const format = typed ?? (isBytes ? named : undefined)
  if (!format) throw mediaTypes.import()
  if (encoding !== undefined && encoding !== 'identity') throw mediaTypes.not_encoded({ type: contentType })
  return format
}

function optionsOf({ searchParams }: URL) {
  const one = <const V extends string>(name: string, values: readonly [V, ...V[]]): V => {
    const given = searchParams.get(name)
    if (given === null) return values[0]
    const found = values.find(value => value === given)
    if (found === undefined)
      throw badParameter(name, 'not_allowed', wording('must be one of {choices}', { choices: values }))
    return found
  }
  for (const name of searchParams.keys())
    if (!['by', 'onError', 'dryRun', 'amounts', 'format'].includes(name))
      throw badParameter(name, 'unknown_field', wording('is not a known parameter'))
  return {
    by: searchParams.get('by'),
    onError: one('onError', ['stop', 'skip']),
    dryRun: one('dryRun', ['false', 'true']) === 'true',
  }
}

function amountsOf({ searchParams }: URL): Amounts | undefined {
  const given = searchParams.get('amounts')
  const found = AMOUNTS.find(value => value === given)
  if (given !== null && found === undefined)
    throw badParameter('amounts', 'not_allowed', wording('must be one of {choices}', { choices: AMOUNTS }))
  return found
}

const importWith = (importRuns: ImportRuns) => (record: ImportRecord, say: SayWording) => ({
  id: record.id,
  collection: record.collection,
  state: record.state as Exclude<ImportRecord['state'], 'uploading'>,
  format: record.format,
  by: record.by,
  onError: record.onError,
  dryRun: record.dryRun,
  rows: {
    total: record.totalRows,
    checked: record.checkedRows,
    processed: record.nextRow,
    created: record.createdRows,
    updated: record.updatedRows,
    failed: record.failedRows,
    runs: importRuns(record),
  },
  failure: toFailure(readFailure(record.failure), say),
  createdBy: record.createdBy,
  createdAt: record.createdAt.toISOString(),
  finishedAt: record.finishedAt?.toISOString() ?? null,
})
