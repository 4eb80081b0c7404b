/** GET requests of the tailored screens. */
import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query'
import { callApi } from './api.ts'
import { type EarlyData, earlyData } from './early.ts'
import { isBelow, keys } from './keys.ts'
import {
  fillPath,
  type InputOf,
  type LastArgument,
  type Path,
  type PathOf,
  type PathParameters,
  type Query,
  type ResponseOf,
} from './paths.ts'

/** Most that a list returns at once. */
export const MAX_PAGE = 200

interface Options<T> {
  readonly isEnabled?: boolean
  /** Milliseconds between requests while the window is visible; never again by default, and when the function returns false. */
  readonly refreshMs?: number | ((last: T | undefined) => number | false)
  /** Whether the result is loaded again when the window gets the focus; true by default. */
  readonly followsFocus?: boolean
  /** Milliseconds in which a result is not loaded again; 0 by default. */
  readonly freshMs?: number
}
interface AnyInput<T> extends Options<T> {
  readonly path?: Readonly<Record<string, string>>
  readonly query?: Query
}

interface Request {
  readonly isFetching: boolean
  readonly isLoading: boolean
  /** Whether there has been an answer, or an error. */
  readonly isFetched: boolean
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

/**
 * Whether a screen waits for its first answer or error. After an error, each part of a screen that mounts loads the query
 * again. A screen that replaced these parts by a spinner meanwhile would mount them again and again.
 */
export const isAwaited = ({ isLoading, isFetched }: Pick<Request, 'isLoading' | 'isFetched'>): boolean =>
  isLoading && !isFetched

/** Requests a path of the API in the workspace of the console, again when the screen is opened later. */
export function useGet<P extends PathOf<'get'>>(
  path: P,
  ...[input]: LastArgument<InputOf<P, 'get'> & Options<ResponseOf<P>>>
): Loaded<ResponseOf<P>> {
  const { path: parameters = {}, query = {}, ...options }: AnyInput<ResponseOf<P>> = input ?? {}
  return useGetAt(fillPath(path, parameters), query, options)
}

/** As `useGet`, for a path that only the description of a resource says. */
export const useGetAt = <T>(path: string, query: Query = {}, options: Options<T> = {}): Loaded<T> =>
  useLoad(keys.get(path, query), async signal => (await callApi<T>({ path, query, signal })).body, {
    ...options,
    early: earlyData(path, query, (body: T) => body),
  })

interface LoadOptions<T> extends Options<T> {
  /** Shows the result of the last key until that of the next one is loaded. */
  readonly keepsLast?: boolean
  /** Whether a request without an answer is repeated; true by default. */
  readonly isRetried?: boolean
  /** Forgets the result when no screen shows it. */
  readonly isForgotten?: boolean
  /** What the document has loaded. */
  readonly early?: EarlyData<T>
}

/**
 * Loads what one GET request doesn't return.
 * @param key one of `keys`, with everything that `load` depends on.
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
    early = {},
  }: LoadOptions<T> = {},
): Loaded<T> {
  return useQuery<T>({
    queryKey: key,
    queryFn: ({ signal }) => load(signal),
    enabled: isEnabled,
    staleTime: freshMs,
    ...early,
    refetchOnWindowFocus: followsFocus,
    ...(refreshMs !== undefined && {
      refetchInterval: ({ state }) => (typeof refreshMs === 'number' ? refreshMs : refreshMs(state.data)),
    }),
    ...(keepsLast && { placeholderData: keepPreviousData as never }),
    ...(!isRetried && { retry: false }),
    ...(isForgotten && { gcTime: 0 }),
  })
}

/** Loads everything at a path and below it again. */
export function useReload() {
  const client = useQueryClient()
  return <P extends Path>(path: P, parameters: Partial<PathParameters<P>> = {}): Promise<void> =>
    client.invalidateQueries({ predicate: ({ queryKey }) => isBelow(queryKey, path, parameters) })
}
