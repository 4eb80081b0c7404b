/** Rows for page templates, read as the visitor. */
import { common, type Deps, type Registrations } from '@larder-dev/larder/kernel'
import type { Collection, Collections } from '../domain/declarations/collection.ts'
import { factsOf, nounFor } from '../domain/queries/list-facts.ts'
import type { ListedRow } from '../domain/queries/list-query.ts'
import { filterOf, PARAMETER, type PageQuery, parametersOf, withValues } from '../domain/queries/page-query.ts'
import { parseSelection } from '../domain/queries/selection.ts'
import { createListFilters, type PageVisit, parameterOf, urlWith } from './list-filters.ts'
import type { MarkdownFields } from './markdown-fields.ts'
import type { RowReader } from './row-reader.ts'
import type { ViewOf } from './views.ts'

type PageData = Registrations['pageData']

/** Characters of a search; as in the list route. */
const MAX_WORDS_LENGTH = 500

type PageDataDeps = Deps<'operator'> & {
  readonly collectionMap: Collections
  readonly markdownFields: MarkdownFields
  readonly reader: RowReader
  readonly view: ViewOf
}

export function createPageData(deps: PageDataDeps): Pick<PageData, 'load'> {
  const { operator, collectionMap, markdownFields, reader, view: viewOf } = deps
  const listFilters = createListFilters(deps)
  const facts = (collection: Collection, { facts: names = [] }: PageQuery, row: ListedRow, { locale }: PageVisit) =>
    factsOf(collectionMap, collection, { names, row, locale })
  return {
    async load(query, visit) {
      const found = query as PageQuery
      const collection = collectionMap.get(found.collection)
      if (!collection) throw common.not_found({ what: 'collection' })
      const tenantId = visit.caller?.tenantId ?? operator.tenantId
      const view = await viewOf(visit.caller, tenantId, collection, found.filter)
      const chosen = await listFilters.read(found, collection, visit, tenantId)
      const values: Record<string, string> = {}
      const filter = withValues(found.filter, name => {
        const value = parameterOf(visit, name)
        if (value !== undefined) values[name] = value
        return value === undefined ? undefined : name
      })
      const words = found.q && PARAMETER.test(found.q) ? (parameterOf(visit, found.q) ?? '') : found.q
      const q = words?.slice(0, MAX_WORDS_LENGTH)
      const parameters = parametersOf(
        collection,
        { ...found, ...(q !== undefined && { q }), ...(found.one && { limit: 1 }) },
        filterOf(view, collection, { ...filter, ...chosen.condition }, values),
      )
      const cursor = found.paginate && new URLSearchParams(visit.search).get(found.paginate)
      const page = await reader.list(view, collection, cursor ? { ...parameters, cursor } : parameters)
      const selection = parseSelection(view, collection, parameters)
      const rows = await markdownFields.forTemplates(view.tenantId, page.data, selection)
      const data = found.facts ? rows.map(row => ({ ...row, facts: facts(collection, found, row, visit) })) : rows
      if (found.one) return firstOf(data)
      return {
        ...page,
        data,
        ...listFilters.shown(found, chosen.filters, visit, q),
        ...(page.total !== undefined && { noun: nounFor(collection, page.total, visit.locale) }),
        ...(q !== undefined && { q }),
        ...(found.paginate && pageUrls(visit, found.paginate, page.nextCursor)),
      }
    },
  }
}

function pageUrls(visit: PageVisit, parameter: string, nextCursor: string | null) {
  const isFirst = !new URLSearchParams(visit.search).get(parameter)
  return {
    nextUrl: nextCursor === null ? null : urlWith(visit, { [parameter]: nextCursor }),
    firstUrl: isFirst ? null : urlWith(visit, { [parameter]: null }),
  }
}

function firstOf([row]: readonly ListedRow[]): ListedRow {
  if (!row) throw common.not_found({ what: 'page' })
  return row
}
