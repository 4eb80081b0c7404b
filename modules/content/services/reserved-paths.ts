/** Paths that larder or a module serves: a page of the site at such a path would never be shown. */
import type { Deps } from '@larder-dev/larder/kernel'
import type { ModuleReport } from '@larder-dev/larder/kernel/internal'
import { patternMatcher } from '../domain/paths.ts'
import { problems } from '../problems.ts'

interface ReservedPath {
  readonly path: string
  readonly owner: string
}
export interface ReservedPaths {
  /** Throws `page_path_fixed`. Only the operator's pages are served by this process. */
  assertNotReserved(tenantId: string, path: string): void
  /** Logs pages at reserved paths: those of the recipe, and those that are older than the module at their path. */
  warnAboutHiddenPages(): Promise<void>
}

const LARDER_PATHS = ['/problems', '/metrics', '/healthz']
/** Paths that Larder itself serves. */
export const SYSTEM_PATHS: readonly string[] = [...LARDER_PATHS, '/docs']

export function createReservedPaths({
  database,
  inspector,
  operator,
  log,
}: Deps<'database' | 'inspector' | 'operator' | 'log'>): ReservedPaths {
  function reservedPaths(): ReservedPath[] {
    const { docs } = inspector.recipe() as { docs?: boolean }
    const larderPaths = docs === false ? LARDER_PATHS : SYSTEM_PATHS
    return [
      ...larderPaths.map(path => ({ path, owner: 'larder' })),
      ...inspector.modules().flatMap(module => servedPaths(module).map(path => ({ path, owner: module.name }))),
    ]
  }
  return {
    assertNotReserved(tenantId, path) {
      if (tenantId !== operator.tenantId) return
      const matches = patternMatcher(path)
      const reserved = reservedPaths().find(reserved => matches(reserved.path))
      if (reserved) throw problems.page_path_fixed({ owner: reserved.owner })
    },
    async warnAboutHiddenPages() {
      const owners = new Map(reservedPaths().map(({ path, owner }) => [path, owner]))
      const { rows } = await database
        .tenant(operator.tenantId)
        .query<{ slug: string; path: string }>('select distinct slug, path from content_pages where path = any ($1)', [
          [...owners.keys()],
        ])
      for (const { slug, path } of rows)
        log.warn({ page: slug, path, owner: owners.get(path) }, 'page is hidden by a module that serves its path')
    },
  }
}

const servedPaths = ({ pages, routes }: ModuleReport): string[] => [
  ...pages.map(({ path }) => path),
  ...routes.filter(({ method, path }) => method === 'GET' && !path.startsWith('/v1/')).map(({ path }) => path),
]
