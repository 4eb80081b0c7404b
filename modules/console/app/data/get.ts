/** GET requests of the tailored screens. */
import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query'
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

interface LoadOptions<T> extends Omit<Options<T>, 'query'> {
  /** Milliseconds in which a result is not loaded again; 0 by default. */
  readonly freshMs?: number
  /** Shows the result of the last key until that of the next one is loaded. */
  readonly keepsLast?: boolean
  /** Whether a request without an answer is repeated; true by default. */
  readonly isRetried?: boolean
  /** Whether the result is loaded again when the window gets the focus; true by default. */
  readonly followsFocus?: boolean
  /** Forgets the result when no screen shows it. */
  readonly isForgotten?: boolean
}

/**
 * Loads what one GET request doesn't return.
 * @param key of the result: everything that `load` depends on. One of `['get', path, …]` is loaded again by `useReload`.
 */
export function useLoad<T>(
  key: readonly unknown[],
  load: (signal: AbortSignal) => Promise<T>,
  {
    isEnabled = true,
    refreshMs,
    freshMs = 0,
    keepsLast = false,
    isRetried = true,
    followsFocus = true,
    isForgotten = false,
  }: LoadOptions<T> = {},
): Loaded<T> {
  return useQuery<T>({
    queryKey: key,
    queryFn: ({ signal }) => load(signal),
    enabled: isEnabled,
    staleTime: freshMs,
    refetchOnWindowFocus: followsFocus,
    ...(refreshMs !== undefined && {
      refetchInterval: ({ state }) => (typeof refreshMs === 'number' ? refreshMs : refreshMs(state.data)),
    }),
    ...(keepsLast && { placeholderData: keepPreviousData as never }),
    ...(!isRetried && { retry: false }),
    ...(isForgotten && { gcTime: 0 }),
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
