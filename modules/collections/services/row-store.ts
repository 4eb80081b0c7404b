/** The port `collections`: rows for code of the product. */
import { common, type Deps, didYouMean, type FieldError, fieldError, wording } from '@larder-dev/larder/kernel'
import { conditionShape, withSuggestion } from '@larder-dev/larder/kernel/internal'
import type { Collection, Collections, Row } from '../domain/declarations/collection.ts'
import type { CollectionReference } from '../domain/declarations/define-collection.ts'
import { filterParameters, isEmptyList } from '../domain/queries/filters.ts'
import type { ListParameters } from '../domain/queries/list-query.ts'
import type { View } from '../domain/rights/view.ts'
import { pointerOf, type Values } from '../domain/rows/row-values.ts'
import type { CollectionRows, RowListQuery, RowScope, RowStore } from '../ports.ts'
import type { GuestRows } from './guest-rows.ts'
import { lockRow } from './locked-rows.ts'
import type { RowChanger } from './row-changer.ts'
import type { RowCreator } from './row-creator.ts'
import type { RowReader } from './row-reader.ts'
import type { RowRemover } from './row-remover.ts'
import type { RowUpserter } from './row-upserter.ts'
import type { BareViewOf, Shown, ViewOf } from './views.ts'

/** Rows of `createMany`; as in the API. */
const MAX_ROWS = 500

type StoreDeps = Deps<'database'> & {
  readonly collectionMap: Collections
  readonly reader: RowReader
  readonly creator: RowCreator
  readonly changer: RowChanger
  readonly upserter: RowUpserter
  readonly remover: RowRemover
  readonly shown: Shown
}
export type RowsDeps = StoreDeps & {
  readonly bareView: BareViewOf
  readonly guestRows: GuestRows
  readonly view: ViewOf
  readonly systemView: (tenantId: string, actor?: string) => View
}

export const createCollectionRows = (deps: RowsDeps): CollectionRows => ({
  rows: <C extends CollectionReference>(reference: C, scope: RowScope): RowStore<C> => {
    const { systemView, view } = deps
    const collection = collectionOf(deps, typeof reference === 'string' ? reference : reference.name)
    const viewNow = async () =>
      scope.caller ? view(scope.caller, scope.tenantId, collection) : systemView(scope.tenantId, scope.actor)
    // The collection of that name has these fields.
    return createRowStore(deps, collection, viewNow) as unknown as RowStore<C>
  },

  async submit(name, { tenantId, caller }, values) {
    const { bareView, creator, guestRows, view } = deps
    const collection = collectionOf(deps, name)
    assertWritable(collection, values, 'create', '')
    const own = caller?.tenantId === tenantId ? caller : undefined
    const isVisitor = !own || bareView(own, tenantId).rows(collection, 'create').length === 0
    if (isVisitor && collection.access.guests) {
      const { id, isCreated } = await guestRows.create(tenantId, collection, values)
      return isCreated ? id : null
    }
    const [row] = await creator.create(await view(own, tenantId, collection), collection, [
      { given: values, pointer: '' },
    ])
    return row?.id ?? null
  },
})

function collectionOf({ collectionMap: collections }: Pick<StoreDeps, 'collectionMap'>, name: string): Collection {
  const collection = collections.get(name)
  if (collection) return collection
  const hint = didYouMean(name, [...collections.keys()])
  throw new Error(`unknown collection "${name}"${hint ? `. ${hint}` : ''}`)
}

/** @param viewNow rights and the time can change between two calls. */
function createRowStore(
  { database, reader, creator, changer, upserter, remover, shown }: StoreDeps,
  collection: Collection,
  viewNow: () => Promise<View>,
): RowStore<string> {
  async function create(values: readonly Values[], pointerAt: (index: number) => string) {
    for (const [index, given] of values.entries()) assertWritable(collection, given, 'create', pointerAt(index))
    const view = await viewNow()
    const rows = await creator.create(
      view,
      collection,
      values.map((given, index) => ({ given, pointer: pointerAt(index) })),
    )
    return (await shown(view, collection, rows)) as Row[]
  }

  return {
    get: async id => (await reader.get(await viewNow(), collection, id, {})) as Row,
    async getForUpdate(id) {
      const view = await viewNow()
      const row = await database
        .tenant(view.tenantId)
        .transaction(unit => lockRow(unit, view, collection, { id, action: 'read', pointer: '' }))
      const [visible] = await shown(view, collection, [row])
      return visible as Row
    },
    async list(query = {}) {
      const [mistake] = conditionShape(query.filter ?? {})
      if (mistake) throw new Error(`The filter is wrong at ${mistake.path.join('.')}: ${mistake.message}`)
      if (matchesNothing(query)) return { data: [], nextCursor: null }
      const { data, nextCursor } = await reader.list(await viewNow(), collection, parametersOf(query))
      return { data: data as Row[], nextCursor }
    },
    async create(values) {
      const [row] = await create([values], () => '')
      return row as Row
    },
    async createMany(values) {
      if (values.length > MAX_ROWS) throw new Error(`createMany creates at most ${MAX_ROWS} rows, not ${values.length}`)
      return values.length === 0 ? [] : create(values, index => `/${index}`)
    },
    async update(id, values, { revision } = {}) {
      assertWritable(collection, values, 'update', '')
      const view = await viewNow()
      const row = await changer.update(view, collection, { id, given: values, headers: match(revision), pointer: '' })
      const [visible] = await shown(view, collection, [row])
      return visible as Row
    },
    async upsert(by, values) {
      assertWritable(collection, values, 'create', '')
      const view = await viewNow()
      const { row, created } = await upserter.upsert(view, collection, { by, given: values, pointer: '' })
      const [visible] = await shown(view, collection, [row])
      return { row: visible as Row, created }
    },
    delete: async (id, { revision } = {}) =>
      remover.remove(await viewNow(), collection, { id, headers: match(revision), pointer: '' }),
  }
}

const match = (revision: number | undefined) => (revision === undefined ? {} : { 'if-match': `"${revision}"` })

/** The API checks this with the schema of the body. */
function assertWritable({ fields }: Collection, values: Values, action: 'create' | 'update', pointer: string): void {
  const errors = Object.keys(values).flatMap((name): FieldError[] => {
    const field = fields.get(name)
    const at = pointerOf(pointer, name)
    if (!field || field.type === 'computed')
      return [
        fieldError(at, 'unknown_field', withSuggestion(wording('is not a known field'), name, [...fields.keys()])),
      ]
    if (field.sequence !== undefined)
      return [fieldError(at, 'not_allowed', wording("can't be set, because rows are numbered"))]
    if (action === 'update' && field.writeOnce) return [fieldError(at, 'not_allowed', wording("can't be changed"))]
    return []
  })
  if (errors.length > 0) throw common.validation_failed({}, { errors })
}

/** No value is in an empty list. A parameter can't express one. */
const matchesNothing = ({ filter = {} }: RowListQuery): boolean =>
  Object.values(filter).some(
    condition => typeof condition === 'object' && condition !== null && 'in' in condition && isEmptyList(condition.in),
  )

/** The query as the parameters of the list route. */
const parametersOf = ({ filter = {}, sort, q, limit, cursor }: RowListQuery): ListParameters => ({
  ...filterParameters(filter),
  ...(sort && { sort: sort.join(',') }),
  ...(q !== undefined && { q }),
  ...(limit !== undefined && { limit }),
  ...(cursor !== undefined && { cursor }),
})
