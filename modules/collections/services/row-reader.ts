/** Reads rows: one, a page, all pages, aggregates. Each is one statement. */
import { common, type Database, type Deps, pageLimit, type Step } from '@larder-dev/larder/kernel'
import { all, Parameters, type SqlContext } from '../domain/conditions/condition-sql.ts'
import { SYSTEM_TARGETS } from '../domain/conditions/resolved-condition.ts'
import type { Collection } from '../domain/declarations/collection.ts'
import {
  type AggregateGroup,
  type AggregateParameters,
  aggregateGroups,
  planAggregate,
} from '../domain/queries/aggregate-query.ts'
import {
  countStatement,
  type ListedRow,
  type ListParameters,
  type ListPlan,
  listStatement,
  type PageRange,
  pageOf,
  pageTextOf,
  planList,
  type Statement,
} from '../domain/queries/list-query.ts'
import { assertExpandable, expandableRows, parseSelection, type Selection } from '../domain/queries/selection.ts'
import { type Columns, rowOf, selectionSql, type TextSelection } from '../domain/queries/selection-sql.ts'
import { NEWEST_FIRST } from '../domain/queries/sorting.ts'
import { readableSql, type View } from '../domain/rights/view.ts'
import { quoteName } from '../domain/tables/sql-literals.ts'
import { createPreparation } from './preparation.ts'
import { createRowSearch } from './row-search.ts'
import { createScanGuard } from './scan-guard.ts'
import { createTextSelections } from './text-selections.ts'

export interface RowPage {
  readonly data: readonly ListedRow[]
  readonly nextCursor: string | null
  /** With `include=total`. */
  readonly total?: number
}

/** A page with the JSON texts of its rows. */
export interface RowTextPage extends Omit<RowPage, 'data'> {
  readonly rows: readonly string[]
}

/** A row as JSON text. */
export interface RowText {
  readonly text: string
  /** Undefined if `fields` leaves it out. */
  readonly revision: number | undefined
}

export interface RowReader {
  /** Throws `not_found` for a row that doesn't exist or that the caller can't read. */
  get(
    view: View,
    collection: Collection,
    id: string,
    query: Pick<ListParameters, 'fields' | 'expand'>,
  ): Promise<ListedRow>
  /** The same as JSON text. */
  getText(
    view: View,
    collection: Collection,
    id: string,
    query: Pick<ListParameters, 'fields' | 'expand'>,
  ): Promise<RowText>
  /** Rows by ID, without those that the caller can't read. */
  find(view: View, collection: Collection, ids: readonly string[]): Promise<ReadonlyMap<string, ListedRow>>
  list(view: View, collection: Collection, query: ListParameters): Promise<RowPage>
  /** The same as JSON texts. */
  listText(view: View, collection: Collection, query: ListParameters): Promise<RowTextPage>
  /** All rows in pages, in the memory of one page. The first page is read before the promise resolves. */
  stream(view: View, collection: Collection, query: ListParameters): Promise<AsyncIterable<readonly ListedRow[]>>
  /** A large page, without the rows that the caller can't read. */
  exportPage(view: View, collection: Collection, query: ListParameters): Promise<RowPage>
  /** Throws `malformed` for a list whose rows can't all be read, because its order has no index. */
  assertReadable(view: View, collection: Collection, query: ListParameters): Promise<void>
  /** The number of rows of a list. */
  count(view: View, collection: Collection, query: ListParameters): Promise<number>
  aggregate(view: View, collection: Collection, query: AggregateParameters): Promise<AggregateGroup[]>
}

/** How much a page reads. */
interface Reading {
  /** Whether it reads many rows of a large table. */
  readonly scans: boolean
  readonly withTotal: boolean
}
interface Range extends Reading {
  readonly limit: number
  readonly cursor: string | undefined
}

const SCANS = { scans: true }

const STREAM_PAGE_SIZE = 500
const streamPageSize = ({ selection }: ListPlan): number => Math.min(STREAM_PAGE_SIZE, expandableRows(selection))

export function createRowReader({ database, clock }: Deps<'database' | 'clock'>): RowReader {
  const search = createRowSearch({ database })
  const guard = createScanGuard({ database })
  const prepare = createPreparation()
  const selectTexts = createTextSelections()
  const unitOf = (view: View): ReturnType<Database['tenant']> => database.tenant(view.tenantId)

  /** Reads a row by its ID. */
  function rowStatement(
    view: View,
    collection: Collection,
    id: string,
    context: SqlContext,
    columns: string,
  ): Statement {
    const where = all([`r.id = ${context.parameters.add(id)}`, readableSql(view, context, collection, 'r')])
    const text = `select ${columns} from ${quoteName(collection.table)} r where ${where}`
    return { text, values: context.parameters.values }
  }

  function textStatement(view: View, collection: Collection, id: string, texts: TextSelection): Statement {
    const { selection, sql, values } = texts
    assertExpandable(selection, 1)
    const hasRevision = selection.targets.includes(SYSTEM_TARGETS.revision)
    const columns = `${sql} as text, ${hasRevision ? 'r.revision' : 'null as revision'}`
    return rowStatement(view, collection, id, view.sqlContext(new Parameters(values)), columns)
  }

  /** Rejects with `not_found`. */
  const findRow = (view: View, { text, values }: Statement): Promise<Columns> =>
    unitOf(view)
      .query<Columns>(...prepare(text, values))
      .then(({ rows: [row] }) => {
        if (!row) throw common.not_found({ what: 'row' })
        return row
      })

  async function get(view: View, collection: Collection, id: string, selection: Selection): Promise<ListedRow> {
    assertExpandable(selection, 1)
    const context = view.sqlContext(new Parameters())
    const columns = selectionSql(context, selection, 'r')
    return rowOf(selection, await findRow(view, rowStatement(view, collection, id, context, columns)))
  }

  async function read<Page extends object>(
    view: View,
    plan: ListPlan,
    { withTotal, scans, ...range }: Range & { readonly texts?: TextSelection },
    toPage: (plan: ListPlan, rows: readonly Columns[], limit: number) => Page,
  ): Promise<Page & { readonly total?: number }> {
    const { rows, total } = plan.search
      ? await searchPage(view, plan, range, { withTotal, scans })
      : await listPage(view, plan, range, { withTotal, scans })
    return { ...toPage(plan, rows, range.limit), ...(total !== undefined && { total }) }
  }

  function countStep(view: View, plan: ListPlan): Step {
    const { text, values } = countStatement(view, plan)
    return prepare(text, values, SCANS)
  }

  async function listPage(view: View, plan: ListPlan, range: PageRange, { scans = false, withTotal }: Reading) {
    const rows = listStatement(view, plan, range)
    const { found, counted } = await unitOf(view).all({
      found: prepare(rows.text, rows.values, { scans }),
      ...(withTotal && { counted: countStep(view, plan) }),
    })
    return { rows: found.rows as Columns[], total: counted && Number(counted.rows[0]?.total) }
  }
  async function searchPage(view: View, plan: ListPlan, range: PageRange, { withTotal }: Reading) {
    const rows = await search.rows(view, plan, range)
    return { rows, total: withTotal ? await search.count(view, plan) : undefined }
  }
  const page = (view: View, plan: ListPlan, range: Range): Promise<RowPage> => read(view, plan, range, pageOf)
  const nextPage = (view: View, plan: ListPlan, cursor: string | undefined) =>
    page(view, plan, { limit: streamPageSize(plan), cursor, scans: false, withTotal: false })

  /** A list of all rows. Without `sort`, those of a search are the newest first too, because the ranked ones are limited. */
  function planAll(view: View, collection: Collection, query: ListParameters): ListPlan {
    const plan = planList(view, collection, { ...query, sort: query.sort ?? NEWEST_FIRST })
    assertExpandable(plan.selection, 1)
    return plan
  }

  async function listed(
    view: View,
    collection: Collection,
    query: ListParameters,
    selection?: Selection,
  ): Promise<{ plan: ListPlan; range: Range }> {
    const plan = planList(view, collection, query, selection)
    const limit = pageLimit(query)
    assertExpandable(plan.selection, limit)
    const scans = await guard.check(view, plan, limit)
    return { plan, range: { limit, cursor: query.cursor, scans, withTotal: query.include === 'total' } }
  }

  return {
    async get(view, collection, id, query) {
      return get(view, collection, id, parseSelection(view, collection, query))
    },

    async getText(view, collection, id, query) {
      const texts = selectTexts(view, collection, query)
      if (texts.hasJson) {
        const row = await get(view, collection, id, texts.selection)
        return { text: JSON.stringify(row), revision: row.revision as number | undefined }
      }
      const { text, revision } = await findRow(view, textStatement(view, collection, id, texts))
      return { text: text as string, revision: (revision ?? undefined) as number | undefined }
    },

    async find(view, collection, ids) {
      const selection = parseSelection(view, collection, {})
      const context = view.sqlContext(new Parameters())
      const columns = selectionSql(context, selection, 'r')
      const where = all([`r.id = any (${context.parameters.add(ids)})`, readableSql(view, context, collection, 'r')])
      const text = `select ${columns} from ${quoteName(collection.table)} r where ${where}`
      const { rows } = await unitOf(view).query<Columns>(...prepare(text, context.parameters.values))
      return new Map(rows.map(row => [String(row.id), rowOf(selection, row)]))
    },

    async list(view, collection, query) {
      const { plan, range } = await listed(view, collection, query)
      return page(view, plan, range)
    },

    async listText(view, collection, query) {
      const texts = selectTexts(view, collection, query)
      const { plan, range } = await listed(view, collection, query, texts.selection)
      return read(view, plan, { ...range, texts }, pageTextOf)
    },

    async exportPage(view, collection, query) {
      const plan = planAll(view, collection, query)
      return nextPage(view, plan, query.cursor)
    },

    async assertReadable(view, collection, query) {
      await guard.check(view, planAll(view, collection, query), undefined)
    },

    async count(view, collection, query) {
      const plan = planList(view, collection, query)
      if (plan.search) return search.count(view, plan)
      const { rows } = await unitOf(view).query<Columns>(...countStep(view, plan))
      return Number(rows[0]?.total)
    },

    async stream(view, collection, query) {
      const plan = planAll(view, collection, query)
      await guard.check(view, plan, undefined)
      const first = await nextPage(view, plan, query.cursor)
      return (async function* () {
        let current = first
        yield current.data
        while (current.nextCursor !== null) {
          current = await nextPage(view, plan, current.nextCursor)
          yield current.data
        }
      })()
    },

    async aggregate(view, collection, query) {
      const plan = planAggregate(view, collection, query, clock.now())
      const { rows } = await unitOf(view).query<Columns>(...prepare(plan.statement.text, plan.statement.values, SCANS))
      return aggregateGroups(plan, rows)
    },
  }
}
