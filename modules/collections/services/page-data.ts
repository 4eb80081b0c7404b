/** The registration `pageData`: rows for page templates, read as the visitor. */
import { common, type Deps, type Registrations } from '@larder-dev/larder/kernel'
import type { Collections } from '../domain/collection.ts'
import type { ListedRow } from '../domain/list-query.ts'
import { PARAMETER, type PageQuery, parametersOf, withValues } from '../domain/page-query.ts'
import type { RowReader } from './row-reader.ts'
import type { ViewOf } from './views.ts'

type PageData = Registrations['pageData']
type Visit = Parameters<PageData['load']>[1]

type PageDataDeps = Deps<'operator'> & {
  readonly collectionMap: Collections
  readonly reader: RowReader
  readonly view: ViewOf
}

export function createPageData({ operator, collectionMap, reader, view: viewOf }: PageDataDeps): PageData {
  return {
    async load(query, visit) {
      const found = query as PageQuery
      const collection = collectionMap.get(found.collection)
      if (!collection) throw common.not_found({ what: 'collection' })
      const view = viewOf(visit.caller, visit.caller?.tenantId ?? operator.tenantId)
      const filter = withValues(found.filter, name => parameterOf(visit, name))
      const page = await reader.list(
        view,
        collection,
        parametersOf({ ...found, filter, ...(found.one && { limit: 1 }) }),
      )
      return found.one ? firstOf(page.data) : page
    },
  }
}

function firstOf([row]: readonly ListedRow[]): ListedRow {
  if (!row) throw common.not_found({ what: 'page' })
  return row
}

/** The value of `$path.<name>` or `$query.<name>`; undefined for any other text. */
function parameterOf({ params, search }: Visit, name: string): string | undefined {
  const [, source, key = ''] = PARAMETER.exec(name) ?? []
  if (source === 'path') return Object.hasOwn(params, key) ? params[key] : undefined
  return source === 'query' ? (new URLSearchParams(search).get(key) ?? undefined) : undefined
}
