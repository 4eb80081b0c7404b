/**
 * The method of each operation: the path, then a verb. `GET /v1/content/pages` is `content.pages.list`, and
 * `POST /v1/content/pages/{id}/publish` is `content.pages.publish`. Pure, and independent of the order of the paths.
 */
import type { Method } from './document.ts'
import { camelCase, identifier } from './text.ts'

export interface Endpoint {
  readonly method: Method
  readonly path: string
  /** True if the response has an array `data`. */
  readonly isList: boolean
}

const isParameter = (segment: string | undefined): boolean => segment?.startsWith('{') ?? false
const segmentsOf = (path: string): string[] => path.split('/').filter(part => part !== '' && part !== 'v1')
export const pathParameters = (path: string): string[] => [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name)

/** @returns `METHOD path` → the names that lead to the method. */
export function methodNames(endpoints: readonly Endpoint[]): ReadonlyMap<string, readonly string[]> {
  const byPath = new Map<string, Endpoint[]>()
  for (const endpoint of endpoints) byPath.set(endpoint.path, [...(byPath.get(endpoint.path) ?? []), endpoint])
  const chains = resourceChains([...byPath.keys()])
  const found = new Map<string, string[]>()
  for (const endpoint of endpoints) found.set(keyOf(endpoint), nameOf(endpoint, byPath, chains))
  const namespaces = new Set(
    [...found.values()].flatMap(names => names.slice(0, -1).map((_, at) => names.slice(0, at + 1).join('.'))),
  )
  // A name is either a method or a namespace.
  for (const [key, names] of found) if (namespaces.has(names.join('.'))) found.set(key, [...names, 'post'])
  return found
}

export const keyOf = ({ method, path }: Pick<Endpoint, 'method' | 'path'>): string => `${method.toUpperCase()} ${path}`

/**
 * The static segments of each path. Of two paths that differ only in their parameters, the one with more of them is
 * qualified: `/features/{key}/evaluate` is `features.evaluateByKey`, because `/features/evaluate` exists.
 */
function resourceChains(paths: readonly string[]): ReadonlyMap<string, readonly string[]> {
  const shortest = new Map<string, number>()
  const plain = (path: string) =>
    segmentsOf(path)
      .filter(segment => !isParameter(segment))
      .map(camelCase)
  const keyed = paths.map(path => ({
    path,
    chain: plain(path),
    key: `${plain(path).join('.')}${endsInParameter(path) ? '/' : ''}`,
  }))
  const count = (path: string) => pathParameters(path).length
  for (const { path, key } of keyed)
    shortest.set(key, Math.min(shortest.get(key) ?? Number.POSITIVE_INFINITY, count(path)))
  return new Map(
    keyed.map(({ path, chain, key }) => {
      if (count(path) === shortest.get(key)) return [path, chain]
      const last = pathParameters(path).at(endsInParameter(path) ? -2 : -1) ?? ''
      return [path, [...chain.slice(0, -1), `${chain.at(-1)}By${identifier(last)}`]]
    }),
  )
}

const endsInParameter = (path: string): boolean => isParameter(segmentsOf(path).at(-1))

type Paths = ReadonlyMap<string, readonly Endpoint[]>

function nameOf(
  { method, path, isList }: Endpoint,
  byPath: Paths,
  chains: ReadonlyMap<string, readonly string[]>,
): string[] {
  const chain = [...(chains.get(path) ?? [])]
  switch (method) {
    case 'get':
      return [...chain, isList && !endsInParameter(path) ? 'list' : 'get']
    case 'patch':
      return [...chain, 'update']
    case 'put':
      return [...chain, 'set']
    case 'delete':
      return [...chain, 'delete']
    case 'post':
      return post(path, chain, byPath)
  }
}

/** `create` on a collection, `post` beside a GET of one resource, otherwise the last segment is the verb. */
function post(path: string, chain: readonly string[], byPath: Paths): string[] {
  if (endsInParameter(path)) {
    const by = `By${identifier(pathParameters(path).at(-1) ?? '')}`
    return [...chain.slice(0, -1), `${chain.at(-1) ?? ''}${by}`]
  }
  const get = byPath.get(path)?.find(({ method }) => method === 'get')
  const hasItems = [...byPath].some(
    ([other, endpoints]) =>
      other.startsWith(`${path}/{`) &&
      endpoints.some(({ method }) => method !== 'post') &&
      !other.slice(path.length + 1).includes('/'),
  )
  if (get?.isList || hasItems) return [...chain, 'create']
  return get ? [...chain, 'post'] : [...chain]
}
