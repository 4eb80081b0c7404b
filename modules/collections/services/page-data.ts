/** Rows for page templates, read as the visitor. */
import { common, type Deps, type Registrations } from '@larder-dev/larder/kernel'
import type { Collections } from '../domain/declarations/collection.ts'
import type { ListedRow } from '../domain/queries/list-query.ts'
import { filterOf, PARAMETER, type PageQuery, parametersOf, withValues } from '../domain/queries/page-query.ts'
import { parseSelection } from '../domain/queries/selection.ts'
import type { MarkdownFields } from './markdown-fields.ts'
import type { RowReader } from './row-reader.ts'
import type { ViewOf } from './views.ts'

type PageData = Registrations['pageData']
export type PageVisit = Parameters<PageData['load']>[1]

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
  return {
    async load(query, visit) {
      const found = query as PageQuery
      const collection = collectionMap.get(found.collection)
      if (!collection) throw common.not_found({ what: 'collection' })
      const tenantId = visit.caller?.tenantId ?? operator.tenantId
      const view = await viewOf(visit.caller, tenantId, collection, found.filter)
      const values: Record<string, string> = {}
      const filter = withValues(found.filter, name => {
        const value = parameterOf(visit, name)
        if (value !== undefined) values[name] = value
        return value === undefined ? undefined : name
      })
      const words = found.q && PARAMETER.test(found.q) ? (parameterOf(visit, found.q) ?? '') : found.q
      const q = words?.slice(0, MAX_WORDS_LENGTH)
      const parameters = parametersOf(
        { ...found, ...(q !== undefined && { q }), ...(found.one && { limit: 1 }) },
        filterOf(view, collection, filter, values),
      )
      const cursor = found.paginate && new URLSearchParams(visit.search).get(found.paginate)
      const page = await reader.list(view, collection, cursor ? { ...parameters, cursor } : parameters)
      const selection = parseSelection(view, collection, parameters)
      const data = await markdownFields.forTemplates(view.tenantId, page.data, selection)
      if (found.one) return firstOf(data)
      return {
        ...page,
        data,
        ...(q !== undefined && { q }),
        ...(found.paginate && pageUrls(visit, found.paginate, page.nextCursor)),
      }
    },
  }
}

/** The other query parameters of the page are kept. */
function pageUrls({ path, search }: PageVisit, parameter: string, nextCursor: string | null) {
  const urlWith = (cursor: string | null) => {
    const parameters = new URLSearchParams(search)
    parameters.delete(parameter)
    if (cursor !== null) parameters.set(parameter, cursor)
    return parameters.size > 0 ? `${path}?${parameters}` : path
  }
  const isFirst = !new URLSearchParams(search).get(parameter)
  return { nextUrl: nextCursor === null ? null : urlWith(nextCursor), firstUrl: isFirst ? null : urlWith(null) }
}

function firstOf([row]: readonly ListedRow[]): ListedRow {
  if (!row) throw common.not_found({ what: 'page' })
  return row
}

/** The value of `$path.<name>`, `$query.<name>` or `$locale`; undefined for any other text. */
export function parameterOf({ params, search, locale }: PageVisit, name: string): string | undefined {
  if (name === '$locale') return locale
  const [, source, key = ''] = PARAMETER.exec(name) ?? []
  if (source === 'path') return Object.hasOwn(params, key) ? params[key] : undefined
  return source === 'query' ? (new URLSearchParams(search).get(key) ?? undefined) : undefined
}
