/** The routes of each collection below `/v1/data`. */
import {
  type AnyRoute,
  common,
  type Deps,
  MIB,
  missingPermission,
  reply,
  route,
  type Static,
  Type,
  wording,
} from '@larder-dev/larder/kernel'
import { createCursorMark, proofSolution } from '@larder-dev/larder/kernel/internal'
import { operationIds } from '../domain/declarations/api-names.ts'
import type { Collection, Row } from '../domain/declarations/collection.ts'
import { currentName, givenValues } from '../domain/declarations/former-names.ts'
import type { ListedRow } from '../domain/queries/list-query.ts'
import { badParameter } from '../domain/queries/parameter-errors.ts'
import type { Selection } from '../domain/queries/selection.ts'
import { parseSelection } from '../domain/queries/selection.ts'
import { permissionOf } from '../domain/rights/access.ts'
import type { View } from '../domain/rights/view.ts'
import type { Operation } from '../domain/rows/named-schemas.ts'
import { bySchema, MAX_ROWS, type RowSchemas, schemasOf } from '../domain/rows/named-schemas.ts'
import { collectionExtension } from '../domain/rows/row-schemas.ts'
import type { Values } from '../domain/rows/row-values.ts'
import { problems } from '../problems.ts'
import { guestLimit } from '../services/guest-rows.ts'
import { rowTag } from '../services/revision-match.ts'
import { csvLines, ndjsonLines } from '../services/row-files.ts'
import { assertMayRead } from '../services/write-access.ts'
import type { CollectionServices } from '../services.ts'
import { exportRoutes } from './exports.ts'
import { historyRoutes } from './history.ts'
import { importRoutes } from './imports.ts'
import { aggregateQuerySchema, listQuerySchema, rowQuerySchema } from './row-query-schemas.ts'
import {
  changeProblems,
  formatOf,
  JSON_TYPE,
  publicTenant,
  type ReadRequest,
  readers,
  replyWithRow,
  upsertProblems,
  WRITE_PROBLEMS,
} from './row-requests.ts'
import { trashRoutes } from './trash.ts'

type Pages = AsyncIterable<readonly ListedRow[]>

export async function* ndjson(pages: Pages): AsyncGenerator<string> {
  for await (const rows of pages) if (rows.length > 0) yield ndjsonLines(rows)
}

export async function* csv(pages: Pages, selection: Selection, bom?: boolean): AsyncGenerator<string> {
  let isFirst = true
  for await (const rows of pages) {
    if (isFirst || rows.length > 0) yield await csvLines(selection, rows, { isFirst, bom })
    isFirst = false
  }
}

const BODY_LIMIT = 5 * MIB
const GuestQuery = Type.Object({
  workspace: Type.Optional(
    Type.String({
      maxLength: 128,
      description:
        "For people who may not create rows otherwise: ID or slug of the workspace; the product's own by default",
    }),
  ),
})
const ProofQuery = Type.Object({
  ...GuestQuery.properties,
  proof: Type.Optional(proofSolution(problems.proof_required.code)),
})

type RouteDeps = Deps<'operator' | 'product' | 'theme', 'tenantDirectory'> & CollectionServices

/** The permissions are declared by the recipe, so their names have no type. */
export const collectionRoutes = (deps: RouteDeps): AnyRoute<never>[] =>
  [...deps.collectionMap.values()].flatMap(collection => {
    const schemas = schemasOf(collection)
    return [
      ...readRoutes(deps, collection, schemas),
      ...writeRoutes(deps, collection, schemas),
      ...(collection.trashMs > 0 ? trashRoutes(deps, collection, schemas) : []),
      ...(collection.history > 0 ? historyRoutes(deps, collection, schemas) : []),
      ...importRoutes(deps, collection),
      ...exportRoutes(deps, collection),
    ]
  })

function readRoutes(deps: RouteDeps, collection: Collection, { Row, List, Groups }: RowSchemas): AnyRoute<never>[] {
  const { reader, collectionMap, markdownFields } = deps
  const path = `/data/${collection.name}` as const
  const ids = operationIds(collection)
  const permission = permissionOf(collection, 'read')
  const allow = collection.access.anyone === undefined ? readers(collection) : [permission, 'public' as const]
  const ofTenant = collection.access.anyone === undefined ? [] : [common.not_found]
  const extensions = { 'x-larder-collection': collectionExtension(collection, collectionMap) }
  const mark = createCursorMark(`get ${path}`)

  /** Throws `forbidden`. */
  async function viewOf(input: ReadRequest): Promise<View> {
    const view = await deps.view(input.caller, input.tenantId ?? (await publicTenant(input, deps)), collection)
    assertMayRead(view, collection)
    return view
  }

  const list = route({
    method: 'get',
    path,
    operationId: ids.list,
    extensions,
    summary: `Lists rows of ${collection.name}, newest first. \`Accept: text/csv\` or \`application/x-ndjson\` streams all of them.`,
    allow,
    query: listQuerySchema(collection, collectionMap, markdownFields.canRender),
    replies: { 200: List },
    texts: ['text/csv', 'application/x-ndjson'],
    problems: ofTenant,
    async handle(input) {
      const view = await viewOf(input)
      const format = formatOf(input.request)
      if (format === 'json' && input.query.render === 'html') {
        const { data, ...page } = mark.put(await reader.list(view, collection, input.query), input.query)
        const selection = parseSelection(view, collection, input.query)
        const rows = await markdownFields.asHtml(view.tenantId, data, selection)
        return reply(200, JSON.stringify({ data: rows, ...page }), { 'content-type': JSON_TYPE })
      }
      if (format === 'json') {
        const { rows, ...page } = mark.put(await reader.listText(view, collection, input.query), input.query)
        return reply(200, `{"data":[${rows.join(',')}],${JSON.stringify(page).slice(1)}`, { 'content-type': JSON_TYPE })
      }
      if (input.query.render === 'html') throw badParameter('render', 'not_supported', wording('is for JSON only'))
      const pages = await reader.stream(view, collection, input.query)
      if (format === 'ndjson')
        return reply(200, ndjson(pages), { 'content-type': 'application/x-ndjson; charset=utf-8' })
      return reply(200, csv(pages, parseSelection(view, collection, input.query), input.query.bom), {
        'content-type': 'text/csv; charset=utf-8',
        'content-disposition': `attachment; filename="${collection.name}.csv"`,
      })
    },
  })

  const aggregate = route({
    method: 'get',
    path: `${path}/aggregate`,
    operationId: ids.aggregate,
    summary: `Counts rows of ${collection.name}, and adds up their numbers, in groups or by day, week or month.`,
    allow,
    query: aggregateQuerySchema(collection, collectionMap),
    replies: { 200: Groups },
    problems: ofTenant,
    async handle(input) {
      const view = await viewOf(input)
      const data = await reader.aggregate(view, collection, input.query)
      return reply(200, JSON.stringify({ data }), { 'content-type': JSON_TYPE })
    },
  })

  const get = route({
    method: 'get',
    path: `${path}/:id`,
    operationId: ids.get,
    extensions,
    summary: `Returns a row of ${collection.name}.`,
    allow,
    query: rowQuerySchema(collection, markdownFields.canRender),
    replies: { 200: Row },
    async handle(input) {
      const view = await viewOf(input)
      if (input.query.render === 'html') {
        const row = await reader.get(view, collection, input.params.id, input.query)
        const [shown] = await markdownFields.asHtml(view.tenantId, [row], parseSelection(view, collection, input.query))
        const body = JSON.stringify(shown)
        return reply(200, body, { 'content-type': JSON_TYPE, etag: rowTag((row.revision ?? '') as number | '', body) })
      }
      const { text, revision } = await reader.getText(view, collection, input.params.id, input.query)
      return reply(200, text, { 'content-type': JSON_TYPE, etag: rowTag(revision ?? '', text) })
    },
  })
  return [list, aggregate, get] as AnyRoute<never>[]
}

function writeRoutes(
  deps: RouteDeps,
  collection: Collection,
  { Row: RowSchema, New, NewRows, CreatedRows, Change, Batch, BatchRows }: RowSchemas,
): AnyRoute<never>[] {
  const { creator, changer, remover, upserter, batch, guestProofs, guestRows, hooks, shown, view } = deps
  const ofHooks = hooks.problemsOf(collection)
  const path = `/data/${collection.name}` as const
  const ids = operationIds(collection)
  const [creates, updates, deletes] = [
    permissionOf(collection, 'create'),
    permissionOf(collection, 'update'),
    permissionOf(collection, 'delete'),
  ]

  const asCreated = ({ id }: Row) => ({ status: 201, headers: { location: `/v1${path}/${id}` } })

  const { guests } = collection.access
  const hasProof = guestProofs.isNeeded(collection)
  const forGuests = guests
    ? ' People who may not create rows otherwise create one at a time, and get its ID alone.'
    : ''

  const create = route({
    method: 'post',
    path,
    operationId: ids.create,
    summary: `Creates a row of ${collection.name}, or up to ${MAX_ROWS} in one transaction: all or none.${forGuests}`,
    allow: guests ? [creates, 'public' as const] : creates,
    ...(guests && { query: hasProof ? ProofQuery : GuestQuery, limits: [guestLimit(collection, hasProof)] }),
    body: NewRows,
    bodyLimit: BODY_LIMIT,
    replies: { 201: CreatedRows },
    problems: [
      ...WRITE_PROBLEMS,
      ...ofHooks,
      ...(guests ? [problems.guest_rows_full, common.not_found] : []),
      ...(hasProof ? [problems.proof_required] : []),
    ],
    // Refusals of hooks and constraints become problems after the unit has been rolled back.
    unit: guests ? 'across' : 'own',
    async handle(input) {
      const { caller, body } = input
      const tenantId = input.tenantId ?? (await publicTenant(input, deps))
      const given = await view(caller, tenantId, collection)
      // Without a right of their own, people with an account are in the same place as those without one.
      const mayCreate = caller !== undefined && given.rows(collection, 'create').length > 0
      if (guests && !mayCreate && !isList(body)) {
        const named = await publicTenant(input, deps)
        const { proof } = input.query as Static<typeof ProofQuery>
        await guestProofs.use(named, collection, proof)
        const { id } = await guestRows.create(named, collection, givenValues(collection, body))
        return reply(201, JSON.stringify({ id }), { 'content-type': JSON_TYPE })
      }
      if (guests && !mayCreate) throw missingPermission(creates)
      if (!isList(body)) {
        const [row] = await creator.create(given, collection, [{ given: givenValues(collection, body), pointer: '' }])
        return replyWithRow(deps, given, collection, row as Row, asCreated(row as Row))
      }
      const rows = await creator.create(
        given,
        collection,
        body.map((each, index) => ({ given: givenValues(collection, each, `/${index}`), pointer: `/${index}` })),
      )
      const data = await shown(given, collection, rows)
      return reply(201, JSON.stringify({ data }), { 'content-type': JSON_TYPE })
    },
  })

  const update = route({
    method: 'patch',
    path: `${path}/:id`,
    operationId: ids.update,
    summary: `Changes fields of a row of ${collection.name}. Supports If-Match.`,
    allow: updates,
    body: Change,
    bodyLimit: BODY_LIMIT,
    replies: { 200: RowSchema },
    problems: [...changeProblems(collection), ...ofHooks],
    // Refusals of hooks and constraints become problems after the unit has been rolled back.
    unit: 'own',
    async handle({ tenantId, caller, params, body, request }) {
      const given = await view(caller, tenantId, collection)
      const { headers } = request
      const values = givenValues(collection, body)
      const row = await changer.update(given, collection, { id: params.id, given: values, headers, pointer: '' })
      return replyWithRow(deps, given, collection, row)
    },
  })

  const upsert = route({
    method: 'put',
    path,
    operationId: ids.upsert,
    summary: `Changes the row of ${collection.name} that has the same value in the unique field \`by\`, or creates one.`,
    allow: [creates, updates],
    query: Type.Object({ by: bySchema(collection, 'Name of a unique field') }),
    body: New,
    bodyLimit: BODY_LIMIT,
    replies: { 200: RowSchema, 201: RowSchema },
    problems: [...upsertProblems(collection), ...ofHooks],
    // Refusals of hooks and constraints become problems after the unit has been rolled back.
    unit: 'own',
    async handle({ tenantId, caller, query, body }) {
      const given = await view(caller, tenantId, collection)
      const values = givenValues(collection, body)
      const by = currentName(collection, query.by)
      const { row, created } = await upserter.upsert(given, collection, { by, given: values, pointer: '' })
      return replyWithRow(deps, given, collection, row, created ? asCreated(row) : {})
    },
  })

  const remove = route({
    method: 'delete',
    path: `${path}/:id`,
    operationId: ids.delete,
    summary:
      collection.trashMs > 0
        ? `Moves a row of ${collection.name} to the trash. Supports If-Match.`
        : `Deletes a row of ${collection.name}. Supports If-Match.`,
    allow: deletes,
    replies: { 204: null },
    problems: [
      problems.row_in_use,
      problems.too_many_dependent_rows,
      problems.row_action_forbidden,
      common.precondition_failed,
      ...ofHooks,
    ],
    // Refusals of hooks and constraints become problems after the unit has been rolled back.
    unit: 'own',
    handle: async ({ tenantId, caller, params, request: { headers } }) =>
      remover.remove(await view(caller, tenantId, collection), collection, { id: params.id, headers, pointer: '' }),
  })

  /** An operation under the current names of its fields. */
  function inCurrentNames(operation: Operation, index: number): Operation {
    if (operation.action === 'delete') return operation
    const data = givenValues(collection, operation.data, `/operations/${index}/data`)
    return operation.action === 'upsert'
      ? { ...operation, data, by: currentName(collection, operation.by) }
      : { ...operation, data }
  }

  const mixed = route({
    method: 'post',
    path: `${path}/batch`,
    operationId: ids.batch,
    summary: `Creates, changes and deletes rows of ${collection.name} in one transaction: all or none.`,
    allow: [creates, updates, deletes],
    body: Batch,
    bodyLimit: BODY_LIMIT,
    replies: { 200: BatchRows },
    problems: [
      ...changeProblems(collection),
      common.not_found,
      problems.row_in_use,
      problems.too_many_dependent_rows,
      ...ofHooks,
    ],
    ifMatch: false,
    // Refusals of hooks and constraints become problems after the unit has been rolled back.
    unit: 'own',
    async handle({ tenantId, caller, body }) {
      const given = await view(caller, tenantId, collection)
      const rows = await batch.run(given, collection, body.operations.map(inCurrentNames))
      const data = await shown(given, collection, rows)
      return reply(200, JSON.stringify({ data }), { 'content-type': JSON_TYPE })
    },
  })
  return [create, update, upsert, remove, mixed] as AnyRoute<never>[]
}

const isList = (body: Values | readonly Values[]): body is readonly Values[] => Array.isArray(body)
