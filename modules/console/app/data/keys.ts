/** Keys of the queries. Changes find by them what they may have affected. */
import { fillPath, type Path, type PathParameters, type Query } from './paths.ts'

interface Named {
  readonly id: string
}

export const keys = {
  /** A GET request, by its path with the parameters. `useReload` loads it again. */
  get: (path: string, query: Query = {}) => ['get', path, query] as const,
  /** What is loaded from a path in another way. @param parts everything else that the result depends on */
  load: (path: Path, ...parts: readonly unknown[]) => ['load', path, ...parts] as const,
  /** The HTML of a page of the product. */
  page: (path: string) => ['page', path] as const,
  /** The API document. */
  document: ['document'],
  /** What belongs to the list of a resource. `useRefresh` loads it again. */
  list: ({ id }: Named, ...parts: readonly unknown[]) => ['list', id, ...parts] as const,
  /** What belongs to a record of a resource, or to all of them. `useRefresh` loads it again. */
  record: ({ id }: Named, ...parts: readonly unknown[]) => ['record', id, ...parts] as const,
  /** What the person searches for in a resource, or in another source of values. Nothing loads it again. */
  search: ({ id }: Named, ...parts: readonly unknown[]) => ['search', id, ...parts] as const,
}

/** Whether the key is that of a GET request at this path or below it. */
export const isBelow = <P extends Path>(
  [kind, at]: readonly unknown[],
  path: P,
  parameters: Partial<PathParameters<P>>,
): boolean =>
  kind === 'get' && typeof at === 'string' && at.startsWith(fillPath(path, parameters as Record<string, string>))
