/** Compiles a list to one statement. Pure. */
import { wording } from '@larder-dev/larder/kernel'
import { all, any, columnOf, conditionSql, Parameters, type SqlContext } from '../conditions/condition-sql.ts'
import type { ResolvedCondition } from '../conditions/resolved-condition.ts'
import type { Collection } from '../declarations/collection.ts'
import { withFormerNames } from '../declarations/former-names.ts'
import { readableSql, type View } from '../rights/view.ts'
import { MAX_SEARCHED_LENGTH, SEARCH_CONFIGURATION } from '../tables/search-column.ts'
import { searchFunctionName } from '../tables/search-sql.ts'
import { quoteName } from '../tables/sql-literals.ts'
import { type Filters, parseFilters, type Query } from './filters.ts'
import { createHighlighter, type Highlighter } from './highlights.ts'
import { badParameter } from './parameter-errors.ts'
import { type Shown, searchQuery, searchTerms, shownTerms } from './search-words.ts'
import { parseSelection, type Selection } from './selection.ts'
import { type Columns, rowOf, selectionSql, type TextSelection } from './selection-sql.ts'
import { cursorColumnsSql, cursorOf, type Order, orderSql, parseOrder, rangesAfter } from './sorting.ts'

export interface ListParameters extends Query {
  readonly limit?: number | undefined
  readonly cursor?: string | undefined
  /** A condition of code, in addition to those of the parameters. */
  readonly where?: ResolvedCondition | undefined
  /** Names separated by commas, or a list of them. */
  readonly sort?: string | readonly string[] | undefined
  readonly fields?: string | undefined
  readonly expand?: string | undefined
  readonly q?: string | undefined
  readonly include?: string | undefined
  /** `html`: Markdown as sanitized HTML. */
  readonly render?: 'html' | undefined
  /** Whether a CSV file begins with a byte order mark. */
  readonly bom?: boolean | undefined
}

/** A list without its page. */
export interface ListPlan {
  readonly collection: Collection
  readonly filters: Filters
  readonly selection: Selection
  /** Undefined: ordered by rank. */
  readonly order: Order | undefined
  readonly search: Search | undefined
}
export interface Search {
  /** A query of `to_tsquery`. */
  readonly query: string
  /** What is marked in texts. */
  readonly shown: readonly Shown[]
  readonly fields: readonly string[]
  readonly collection: Collection
}

/** Throws `malformed` and `validation_failed`. */
export function planList(
  view: View,
  collection: Collection,
  query: ListParameters,
  selection = parseSelection(view, collection, query),
): ListPlan {
  const search = query.q === undefined || query.q.trim() === '' ? undefined : parseSearch(view, collection, query.q)
  return {
    collection,
    filters: withCondition(parseFilters(view, collection, query), query.where),
    selection,
    order: search && query.sort === undefined ? undefined : parseOrder(view, collection, query.sort),
    search,
  }
}

const withCondition = ({ filter, alternatives }: Filters, where: ResolvedCondition = []): Filters => ({
  filter: [...where, ...filter],
  alternatives,
})

/** The recipe can't make a field searchable that only some roles read: its words would find rows for all. */
function parseSearch(view: View, collection: Collection, words: string): Search {
  const isReadable = collection.search.every(name => {
    const field = collection.fields.get(name)
    return field !== undefined && view.allows(collection, field)
  })
  if (collection.search.length === 0 || !isReadable)
    throw badParameter('q', 'not_searchable', wording("isn't supported by this collection"))
  const terms = searchTerms(words)
  return { query: searchQuery(terms), shown: shownTerms(terms), fields: collection.search, collection }
}

/** A row that contains the words of a search. */
export interface Match {
  readonly id: string
  readonly rank: number
}

/** Finds the newest matches before an ID, of rows that the caller may not be able to read. Newest first. */
export function matchesStatement(
  { collection, search }: ListPlan,
  { before, limit }: { readonly before: string | undefined; readonly limit: number },
): Statement {
  const parameters = new Parameters()
  const query = `to_tsquery('${SEARCH_CONFIGURATION}'::regconfig, ${parameters.add(search?.query ?? '')})`
  const [from, most] = [parameters.add(before ?? null), parameters.add(limit)]
  return {
    text: `select id, rank from ${quoteName(searchFunctionName(collection.table))}(${query}, ${from}, ${most}) order by id desc`,
    values: parameters.values,
  }
}

/** The rows that the caller may read and that match, as SQL. */
export function matchingSql(
  context: SqlContext,
  view: View,
  collection: Collection,
  { filter, alternatives }: Filters,
): string {
  const either = alternatives.map(condition => conditionSql(context, collection, condition, 'r'))
  return all([
    readableSql(view, context, collection, 'r'),
    conditionSql(context, collection, filter, 'r'),
    either.length > 0 ? any(either) : 'true',
  ])
}

export interface Statement {
  readonly text: string
  readonly values: readonly unknown[]
}

/** Searched texts, in which the words are marked. */
const SEARCHED_PREFIX = '$searched '

const ROW_TEXT = '$row'

export interface PageRange {
  readonly limit: number
  readonly cursor: string | undefined
  /** Reads each row as one column with its JSON text. */
  readonly texts?: TextSelection | undefined
  /** The rows that a search reads. */
  readonly matches?: readonly Match[]
}

/** Reads one row more than `limit`, to find out whether there is another page. */
export function listStatement(view: View, plan: ListPlan, { limit, cursor, texts, matches }: PageRange): Statement {
  const { collection, selection, search, order = RANK_ORDER } = plan
  const context = view.sqlContext(new Parameters(texts?.values))
  const { parameters } = context
  const searched = (search?.fields ?? []).map(name => {
    const column = columnOf('r', collection.fields.get(name)?.column ?? name)
    return `, left(${column}, ${MAX_SEARCHED_LENGTH}) as ${quoteName(SEARCHED_PREFIX + name)}`
  })
  const columns = texts ? `${texts.sql} as ${quoteName(ROW_TEXT)}` : selectionSql(context, selection, 'r')
  const page = `order by ${orderSql(order, 'r')} limit ${parameters.add(limit + 1)}`
  const table = quoteName(collection.table)
  const matching = matchingSql(context, view, collection, plan.filters)
  const ranges = rangesAfter(order, cursor, 'r', parameters)
  const where = (range: string) => `where ${all([matching, range])}`
  const from = matches
    ? `${matchesSql(matches, parameters)} join ${table} r on r.id = m.id ${where(any(ranges))}`
    : ranges.length === 1
      ? `${table} r ${where(ranges[0] as string)}`
      : `(${ranges.map(range => `(select r.* from ${table} r ${where(range)} ${page})`).join(' union all ')}) r`
  const text = `select ${columns}, ${cursorColumnsSql(order, 'r')}${searched.join('')} from ${from} ${page}`
  return { text, values: parameters.values }
}

const matchesSql = (matches: readonly Match[], parameters: Parameters): string =>
  `unnest(${parameters.add(matches.map(({ id }) => id))}::text[], ${parameters.add(matches.map(({ rank }) => rank))}::double precision[]) m (id, rank)`

const RANK_ORDER: Order = {
  signature: 'rank',
  keys: [
    { name: 'rank', descending: true, nullable: false, kind: 'number', sql: () => 'm.rank' },
    { name: 'id', descending: true, nullable: false, kind: 'text', sql: alias => `${alias}.id` },
  ],
}

/** @param matches of a search: the rows that are counted. */
export function countStatement(view: View, { collection, filters }: ListPlan, matches?: readonly Match[]): Statement {
  const context = view.sqlContext(new Parameters())
  const { parameters } = context
  const rows = `${quoteName(collection.table)} r`
  const from = matches ? `${matchesSql(matches, parameters)} join ${rows} on r.id = m.id` : rows
  return {
    text: `select count(*) as total from ${from} where ${matchingSql(context, view, collection, filters)}`,
    values: parameters.values,
  }
}

export type ListedRow = Record<string, unknown>

/** The rows of a page and the cursor of the next one. */
export function pageOf(
  plan: ListPlan,
  rows: readonly Columns[],
  limit: number,
): { data: ListedRow[]; nextCursor: string | null } {
  const highlighter = plan.search && createHighlighter(plan.search.shown)
  const data = rows.slice(0, limit).map(columns => {
    const row = rowOf(plan.selection, columns)
    return plan.search && highlighter ? { ...row, highlights: highlightsOf(plan.search, highlighter, columns) } : row
  })
  return { data, nextCursor: nextCursorOf(plan, rows, limit) }
}

/** The same with the JSON texts of the rows. */
export function pageTextOf(
  plan: ListPlan,
  rows: readonly Columns[],
  limit: number,
): { rows: string[]; nextCursor: string | null } {
  const highlighter = plan.search && createHighlighter(plan.search.shown)
  const texts = rows.slice(0, limit).map(columns => {
    const row = columns[ROW_TEXT] as string
    if (!plan.search || !highlighter) return row
    return `${row.slice(0, -1)},"highlights":${JSON.stringify(highlightsOf(plan.search, highlighter, columns))}}`
  })
  return { rows: texts, nextCursor: nextCursorOf(plan, rows, limit) }
}

function nextCursorOf({ order = RANK_ORDER }: ListPlan, rows: readonly Columns[], limit: number): string | null {
  const last = rows[limit - 1]
  return rows.length > limit && last ? cursorOf(order, last) : null
}

/** Fields in which words were found, as HTML. */
function highlightsOf(
  { fields, collection }: Search,
  { highlight }: Highlighter,
  columns: Columns,
): Record<string, string> {
  const found = fields.flatMap(name => {
    const text = columns[SEARCHED_PREFIX + name]
    const html = typeof text === 'string' ? highlight(text) : undefined
    return html === undefined ? [] : [[name, html] as const]
  })
  return withFormerNames(collection, Object.fromEntries(found))
}
