/** GET requests of the tailored screens. */
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { callApi, type Query } from './api.ts'

/** Most that a list returns at once. */
export const MAX_PAGE = 200

interface Options<T> {
  readonly query?: Query
  readonly isEnabled?: boolean
  /** Milliseconds between requests while the window is visible; never again by default, and when the function returns false. */
  readonly refreshMs?: number | ((last: T | undefined) => number | false)
}

interface Request {
  readonly isFetching: boolean
  readonly isLoading: boolean
  refetch(): unknown
}
/** After `isPending`, one of `data` and `error` is set; both if a later request failed. */
export type Loaded<T> = Request &
  (
    | { readonly isPending: true; readonly error: null; readonly data: undefined }
    | { readonly isPending: false; readonly error: Error; readonly data: undefined }
    | { readonly isPending: false; readonly error: Error; readonly data: T }
    | { readonly isPending: false; readonly error: null; readonly data: T }
  )

/** Requests a path of the API in the workspace of the console, again when the screen is opened later. */
export function useGet<T>(path: string, { query = {}, isEnabled = true, refreshMs }: Options<T> = {}): Loaded<T> {
  return useQuery<T>({
    queryKey: ['get', path, query],
    queryFn: async ({ signal }) => (await callApi<T>({ path, query, signal })).body,
    enabled: isEnabled,
    ...(refreshMs !== undefined && {
      refetchInterval: ({ state }) => (typeof refreshMs === 'number' ? refreshMs : refreshMs(state.data)),
    }),
  })
}

/** Loads everything below these paths again. */
export function useReload(): (...paths: readonly string[]) => Promise<void> {
  const client = useQueryClient()
  return (...paths) =>
    client.invalidateQueries({
      predicate: ({ queryKey: [kind, path] }) =>
        kind === 'get' && paths.some(start => typeof path === 'string' && path.startsWith(start)),
    })
}
