/** Addresses at which something else is shown: a page of the site would never be seen there. */
import type { Deps, ModuleReport } from 'larder/kernel'
import { patternMatcher } from '../domain/paths.ts'
import { problems } from '../problems.ts'

interface Place {
  readonly path: string
  readonly owner: string
}
const OWN = ['/problems', '/metrics', '/healthz']

export function createHidden({
  database,
  inspector,
  operator,
  log,
}: Deps<'database' | 'inspector' | 'operator' | 'log'>) {
  function places(): Place[] {
    const { docs } = inspector.recipe() as { docs?: boolean }
    const own = docs === false ? OWN : [...OWN, '/docs']
    return [
      ...own.map(path => ({ path, owner: 'larder' })),
      ...inspector.modules().flatMap(module => addresses(module).map(path => ({ path, owner: module.name }))),
    ]
  }
  return {
    /** Throws `page_path_fixed`. Only the operator's pages are shown by this process. */
    mustBeSeen(tenantId: string, path: string): void {
      if (tenantId !== operator.tenantId) return
      const isHere = patternMatcher(path)
      const place = places().find(place => isHere(place.path))
      if (place) throw problems.page_path_fixed({ owner: place.owner })
    },
    /** Of the recipe, or older than the module: nobody was told when they were written. */
    async tell(): Promise<void> {
      const fixed = new Map(places().map(({ path, owner }) => [path, owner]))
      const { rows } = await database
        .tenant(operator.tenantId)
        .query<{ slug: string; path: string }>('select distinct slug, path from content_pages where path = any ($1)', [
          [...fixed.keys()],
        ])
      for (const { slug, path } of rows)
        log.warn({ page: slug, path, owner: fixed.get(path) }, 'a page is never seen: something else is at its path')
    },
  }
}
export type Hidden = ReturnType<typeof createHidden>

const addresses = ({ pages, routes }: ModuleReport): string[] => [
  ...pages.map(({ path }) => path),
  ...routes.filter(({ method, path }) => method === 'GET' && !path.startsWith('/v1/')).map(({ path }) => path),
]
