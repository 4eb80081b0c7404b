/** Pages of a list, loaded as the person scrolls. */
import { type QueryKey, useInfiniteQuery, useQueries, useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { callApi } from './api.ts'
import { countQuery } from './count.ts'
import { earlyData } from './early.ts'
import type { Loaded } from './get.ts'
import { keys } from './keys.ts'
import type { ListOf } from './loaded-rows.ts'
import { fillPath, type InputOf, type LastArgument, type PathOf, type Query, type RowOf } from './paths.ts'
import type { Resource, Row, Scope } from './resources.ts'

const cursorOf = (page: ListOf<unknown>): string | undefined => page.nextCursor ?? page.next_cursor ?? undefined
export interface ListState {
  readonly q?: string | undefined
  readonly sort?: string | undefined
  /** Values by query parameter. */
  readonly filters?: Readonly<Record<string, string>> | undefined
}
/** State of a list, all of it in the URL. */
export interface ListSearch extends ListState {
  readonly columns?: readonly string[] | undefined
}
/** Search parameters of the console's screens. */
export interface Search extends ListSearch {
  /** Parameters from a parent record. */
  readonly with?: Readonly<Record<string, string>>
  /** The selected tab of a record. */
  readonly tab?: string
  /** Which conversations the inbox shows, and the open one. */
  readonly view?: string
  readonly id?: string
  /** The action of the list that is asked for. */
  readonly run?: string
  /** A workspace of another address, to which the person doesn't belong. */
  readonly left?: string
  /** The address whose emails are shown. */
  readonly to?: string
}

const PAGE_SIZE = 50
/** Rows of an export. */
const MAX_EXPORTED_ROWS = 10_000

function listQuery(resource: Resource, { q, sort, filters = {} }: ListState, scope: Scope): Query {
  return {
    ...Object.fromEntries(
      Object.entries(scope).filter(([name]) => !resource.operations.list.path.includes(`{${name}}`)),
    ),
    ...filters,
    ...(resource.search !== null && q ? { [resource.search]: q } : {}),
    ...(resource.sort !== null && sort ? { [resource.sort]: sort } : {}),
  }
}

type RowAt<P> = P extends PathOf<'get'> ? RowOf<P> : P

/** The rows of a list that are loaded, and how to load more. */
export interface Pages<R> {
  readonly rows: readonly R[]
  readonly isPending: boolean
  readonly isFetching: boolean
  readonly error: Error | null
  readonly hasNextPage: boolean
  readonly isFetchingNextPage: boolean
  /** The rows are those of the former search, filter or sort; the current ones are on their way. */
  readonly isPlaceholderData?: boolean
  /** When the last page was loaded, in milliseconds since 1970. */
  readonly dataUpdatedAt: number
  refetch(): unknown
  fetchNextPage(): unknown
}

/**
 * The rows of a resource; those of a path have its type: `useRows<'/v1/media'>(…)`.
 * @param canLimit whether the route has the parameter `limit`.
 * @param refreshMs loads the rows again after these milliseconds, while the window is visible.
 */
export function useRows<P extends PathOf<'get'> | Row = Row>(
  resource: Resource,
  state: ListState,
  scope: Scope,
  canLimit: boolean,
  refreshMs?: number,
): Pages<RowAt<P>> {
  const query = listQuery(resource, state, scope)
  const path = fillPath(resource.operations.list.path, scope)
  const queryKey = keys.list(resource, path, query)
  const result = useInfiniteQuery({
    queryKey,
    queryFn: async ({ pageParam, signal }) => {
      const { body } = await callApi<ListOf<RowAt<P>>>({
        path,
        query: { ...query, ...(canLimit && { limit: PAGE_SIZE }), cursor: pageParam },
        signal,
      })
      return body
    },
    initialPageParam: undefined as string | undefined,
    getNextPageParam: cursorOf,
    // The rows of the same list stay until those of another search, filter or sort arrive.
    placeholderData: (before, query) => (isSameList(query?.queryKey, queryKey) ? before : undefined),
    ...(refreshMs !== undefined && { refetchInterval: refreshMs }),
  })
  const rows = useMemo(() => result.data?.pages.flatMap(({ data }) => data) ?? [], [result.data])
  return { ...result, rows }
}

/** The kind of key, the resource and the path. */
const LIST_PARTS = 3
const isSameList = (a: QueryKey = [], b: QueryKey): boolean =>
  a.slice(0, LIST_PARTS).join() === b.slice(0, LIST_PARTS).join()

/** All pages of a GET request that returns a list. `useReload` loads them again. */
export function usePages<P extends PathOf<'get'>>(at: P, ...[input]: LastArgument<InputOf<P, 'get'>>): Pages<RowOf<P>> {
  const { path: parameters = {}, query }: { readonly path?: Scope; readonly query?: Query } = input ?? {}
  const path = fillPath(at, parameters)
  const result = useInfiniteQuery({
    queryKey: keys.get(path, query),
    queryFn: async ({ pageParam, signal }) => {
      const page = { ...query, limit: PAGE_SIZE, cursor: pageParam }
      return (await callApi<ListOf<RowOf<P>>>({ path, query: page, signal })).body
    },
    initialPageParam: undefined as string | undefined,
    getNextPageParam: cursorOf,
  })
  const rows = useMemo(() => result.data?.pages.flatMap(({ data }) => data) ?? [], [result.data])
  /** A change that arrives meanwhile loads the list again and cancels the request of the next page: it is repeated. */
  const fetchNextPage = async () => {
    const count = result.data?.pages.length ?? 0
    for (;;) {
      const { data, error, hasNextPage } = await result.fetchNextPage({ cancelRefetch: false })
      if (error || !hasNextPage || (data?.pages.length ?? 0) > count) return
    }
  }
  return { ...result, rows, fetchNextPage }
}

export interface Count {
  readonly length: number
  /** `50+` for more rows than are counted. */
  readonly text: string
}
/** How many rows each list has. The count of a list that can't be loaded is an error. */
export function useCounts(
  lists: readonly { readonly resource: Resource; readonly filters?: Readonly<Record<string, string>> | undefined }[],
  refreshMs: number,
): readonly Pick<Loaded<Count>, 'data' | 'error' | 'isLoading' | 'isFetched'>[] {
  return useQueries({
    queries: lists.map(({ resource: { operations }, filters = {} }) => {
      const [path, query] = [operations.list.path, countQuery(filters)]
      return {
        queryKey: keys.search({ id: path }, 'count', filters),
        queryFn: async ({ signal }: { readonly signal: AbortSignal }): Promise<Count> =>
          countOf((await callApi<ListOf<Row>>({ path, query, signal })).body),
        ...earlyData(path, query, countOf),
        refetchInterval: refreshMs,
      }
    }),
  })
}

function countOf(list: ListOf<Row>): Count {
  const { length } = list.data
  return { length, text: cursorOf(list) ? `${length}+` : String(length) }
}

/** Number of all rows; undefined until it is known, and for lists that are too large to be counted. */
export function useTotal(resource: Resource, { q, filters }: ListState, scope: Scope, isEnabled: boolean) {
  const query = { ...listQuery(resource, { q, filters }, scope), include: 'total', limit: 1 }
  const path = fillPath(resource.operations.list.path, scope)
  const { data } = useQuery({
    queryKey: keys.list(resource, 'total', path, query),
    queryFn: async ({ signal }) => (await callApi<{ readonly total?: number }>({ path, query, signal })).body,
    enabled: isEnabled,
    retry: false,
  })
  return data?.total
}

/** How a table loads more rows: not after an error, and one page at a time. */
export const moreOf = ({
  hasNextPage,
  error,
  isFetchingNextPage,
  fetchNextPage,
  isPlaceholderData = false,
}: Pick<Pages<unknown>, 'hasNextPage' | 'error' | 'isFetchingNextPage' | 'fetchNextPage' | 'isPlaceholderData'>) => ({
  hasMore: hasNextPage && !error && !isPlaceholderData,
  isBusy: isPlaceholderData,
  onLoadMore: () => {
    if (!isFetchingNextPage) fetchNextPage()
  },
})

/** All rows of a list up to the limit of an export. @param onProgress called with the number of rows so far. */
export async function loadAll(
  resource: Resource,
  state: ListState,
  scope: Scope,
  onProgress: (count: number) => void,
): Promise<{ readonly rows: readonly Row[]; readonly isComplete: boolean }> {
  const rows: Row[] = []
  let cursor: string | undefined
  do {
    const { body } = await callApi<ListOf<Row>>({
      path: fillPath(resource.operations.list.path, scope),
      query: { ...listQuery(resource, state, scope), cursor },
    })
    rows.push(...body.data)
    onProgress(rows.length)
    cursor = cursorOf(body)
  } while (cursor && rows.length < MAX_EXPORTED_ROWS)
  return { rows: rows.slice(0, MAX_EXPORTED_ROWS), isComplete: !cursor }
}
