/** Records in the command palette: those of the operator's search, and rows of the workspace's collections. */
import { useQueries, useQuery } from '@tanstack/react-query'
import { api, callApi } from '../data/api.ts'
import type { SearchGroup } from '../data/api-types.ts'
import { COLLECTIONS, orderedGroups } from '../data/groups.ts'
import { keys } from '../data/keys.ts'
import type { ListOf } from '../data/loaded-rows.ts'
import { keyOf, labelOf, type Resource, type Row, useResources } from '../data/resources.ts'
import { usePermissions } from '../data/session.ts'
import { useSettled } from '../data/settled.ts'
import { findByWords } from '../data/word-search.ts'

/** Shorter words match too much. */
const MIN_LENGTH = 2
const MAX_ROWS = 5
const TYPING_PAUSE_MS = 200

export interface FoundGroup {
  readonly title: string
  readonly resource: Resource
  readonly results: readonly { readonly id: string; readonly title: string; readonly detail?: string }[]
  /** Whether the list has more, which it can show. */
  readonly hasMore: boolean
  readonly isFailed: boolean
}
export interface Found {
  readonly groups: readonly FoundGroup[]
  readonly isPending: boolean
}

export function useFound(typed: string): Found {
  const words = useSettled(typed.trim(), TYPING_PAUSE_MS)
  const { mayOnPlatform } = usePermissions()
  const { data: resources = [] } = useResources()
  const isLong = words.length >= MIN_LENGTH
  const mayAll = mayOnPlatform('platform.search.read')
  const all = useQuery({
    queryKey: keys.load('/v1/platform/search', words),
    queryFn: async ({ signal }) => (await api.get('/v1/platform/search', { query: { q: words }, signal })).body.data,
    enabled: isLong && mayAll,
  })
  const collections = resources.filter(
    ({ module, search, within, offered }) => module === 'collections' && search !== null && within === null && offered,
  )
  const rows = useQueries({
    queries: collections.map(resource => ({
      queryKey: keys.search(resource, 'words', words),
      queryFn: ({ signal }: { readonly signal: AbortSignal }) => findRows(resource, words, signal),
      enabled: isLong,
    })),
  })
  const isSearchable = mayAll || collections.length > 0
  return {
    groups: byGroup([
      ...(all.data ?? []).flatMap(group => toGroup(group, resources)),
      ...collections.flatMap((resource, index) => {
        const { data = [], isError = false } = rows[index] ?? {}
        return data.length > 0 || isError ? [groupOfRows(resource, data, isError)] : []
      }),
    ]),
    isPending:
      isSearchable &&
      typed.trim().length >= MIN_LENGTH &&
      (words !== typed.trim() || all.isLoading || rows.some(({ isLoading }) => isLoading)),
  }
}

/** People first, then rows, then the rest in the order of the navigation: who looks for somebody wants no emails. */
function byGroup(groups: readonly FoundGroup[]): readonly FoundGroup[] {
  const order = orderedGroups([...new Set(groups.map(({ resource }) => resource.group))], ['people', COLLECTIONS])
  return groups.toSorted((a, b) => order.indexOf(a.resource.group) - order.indexOf(b.resource.group))
}

/** One row more than is shown, which says that there are more. */
async function findRows(resource: Resource, words: string, signal: AbortSignal): Promise<readonly Row[]> {
  const { operations, search } = resource
  const find = async (q: string) =>
    (
      await callApi<ListOf<Row>>({
        path: operations.list.path,
        query: { [search ?? 'q']: q, limit: MAX_ROWS + 1 },
        signal,
      })
    ).body
  return (await findByWords(find, words, row => keyOf(resource, row))).data
}

function toGroup({ resource: id, results, more, failed }: SearchGroup, resources: readonly Resource[]) {
  const resource = resources.find(each => each.id === id && each.offered)
  if (!resource) return []
  const found = results.map(({ id: key, title: name, detail, tenantName }) => ({
    id: key,
    title: name,
    detail: [detail, tenantName].filter(Boolean).join(' · '),
  }))
  const hasMore = more && resource.search !== null
  return [{ title: resource.title, resource, results: found, hasMore, isFailed: failed }]
}

const groupOfRows = (resource: Resource, rows: readonly Row[], isFailed: boolean): FoundGroup => ({
  title: resource.title,
  resource,
  results: rows.slice(0, MAX_ROWS).map(row => ({ id: keyOf(resource, row), title: labelOf(resource, row) })),
  hasMore: rows.length > MAX_ROWS,
  isFailed,
})
