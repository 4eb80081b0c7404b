/** Reads rows: one, a page, all pages, aggregates. Each is one statement. */
import { common, type Database, type Deps, pageLimit } from 'larder/kernel'
import {
  type AggregateGroup,
  type AggregateParameters,
  aggregateGroups,
  planAggregate,
} from '../domain/aggregate-query.ts'
import type { Collection } from '../domain/collection.ts'
import { all, Parameters, quoteName } from '../domain/condition-sql.ts'
import {
  countStatement,
  type ListedRow,
  type ListParameters,
  type ListPlan,
  listStatement,
  pageOf,
  planList,
} from '../domain/list-query.ts'
import { assertExpandable, expandableRows, parseSelection } from '../domain/selection.ts'
import { type Columns, rowOf, selectionSql } from '../domain/selection-sql.ts'
import { readableSql, type View } from '../domain/view.ts'
import { createPreparation } from './preparation.ts'

export interface RowPage {
  readonly data: readonly ListedRow[]
  readonly nextCursor: string | null
  /** With `include=total`. */
  readonly total?: number
}

export interface RowReader {
  /** Throws `not_found` for a row that doesn't exist or that the caller can't read. */
  get(
    view: View,
    collection: Collection,
    id: string,
    query: Pick<ListParameters, 'fields' | 'expand'>,
  ): Promise<ListedRow>
  /** Rows by ID, without those that the caller can't read. */
  find(view: View, collection: Collection, ids: readonly string[]): Promise<ReadonlyMap<string, ListedRow>>
  list(view: View, collection: Collection, query: ListParameters): Promise<RowPage>
  /** All rows in pages, in the memory of one page. The first page is read before the promise resolves. */
  stream(view: View, collection: Collection, query: ListParameters): Promise<AsyncIterable<readonly ListedRow[]>>
  aggregate(view: View, collection: Collection, query: AggregateParameters): Promise<AggregateGroup[]>
}

const STREAM_PAGE_SIZE = 500

export function createRowReader({ database }: Deps<'database'>): RowReader {
  const prepare = createPreparation()
  const unitOf = (view: View): ReturnType<Database['tenant']> => database.tenant(view.tenantId)

  async function page(
    view: View,
    plan: ListPlan,
    limit: number,
    cursor: string | undefined,
    withTotal: boolean,
  ): Promise<RowPage> {
    const rows = listStatement(view, plan, limit, cursor)
    const total = withTotal ? countStatement(view, plan) : undefined
    const steps = [rows, ...(total ? [total] : [])].map(({ text, values }) => [prepare(text), values] as const)
    const [found, counted] = await unitOf(view).batch(steps)
    const read = pageOf(plan, (found?.rows ?? []) as Columns[], limit)
    return counted ? { ...read, total: Number(counted.rows[0]?.total) } : read
  }

  return {
    async get(view, collection, id, query) {
      const selection = parseSelection(view, collection, query)
      assertExpandable(selection, 1)
      const context = view.sqlContext(new Parameters())
      const columns = selectionSql(context, selection, 'r')
      const where = all([`r.id = ${context.parameters.add(id)}`, readableSql(view, context, collection, 'r')])
      const text = `select ${columns} from ${quoteName(collection.table)} r where ${where}`
      const { rows } = await unitOf(view).query<Columns>(prepare(text), context.parameters.values)
      if (!rows[0]) throw common.not_found({ what: 'row' })
      return rowOf(selection, rows[0])
    },

    async find(view, collection, ids) {
      const selection = parseSelection(view, collection, {})
      const context = view.sqlContext(new Parameters())
      const columns = selectionSql(context, selection, 'r')
      const where = all([`r.id = any (${context.parameters.add(ids)})`, readableSql(view, context, collection, 'r')])
      const text = `select ${columns} from ${quoteName(collection.table)} r where ${where}`
      const { rows } = await unitOf(view).query<Columns>(prepare(text), context.parameters.values)
      return new Map(rows.map(row => [String(row.id), rowOf(selection, row)]))
    },

    async list(view, collection, query) {
      const plan = planList(view, collection, query)
      const limit = pageLimit(query)
      assertExpandable(plan.selection, limit)
      return page(view, plan, limit, query.cursor, query.include === 'total')
    },

    async stream(view, collection, query) {
      const plan = planList(view, collection, query)
      assertExpandable(plan.selection, 1)
      const size = Math.min(STREAM_PAGE_SIZE, expandableRows(plan.selection))
      const first = await page(view, plan, size, query.cursor, false)
      return (async function* () {
        let current = first
        yield current.data
        while (current.nextCursor !== null) {
          current = await page(view, plan, size, current.nextCursor, false)
          yield current.data
        }
      })()
    },

    async aggregate(view, collection, query) {
      const plan = planAggregate(view, collection, query)
      const { rows } = await unitOf(view).query<Columns>(prepare(plan.statement.text), plan.statement.values)
      return aggregateGroups(plan, rows)
    },
  }
}
