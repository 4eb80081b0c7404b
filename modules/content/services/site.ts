/** The operator's site: its published pages at their paths, its redirects really served. */
import { type Deps, html, type Site, type SiteAnswer } from 'larder/kernel'
import { inLocale } from '../core/locale.ts'
import { canonicalPath } from '../core/path.ts'
import { type ContentOptions, templatesOf } from '../options.ts'
import { problems } from '../problems.ts'
import type { Seo } from '../schemas.ts'
import { CHANGED } from './changes.ts'
import { createMemory } from './memory.ts'
import { createMenus } from './menu.ts'
import type { Navigation } from './navigation.ts'
import type { Redirecting } from './redirects.ts'

interface Shown {
  readonly locale: string
  readonly title: string
  readonly html: string
  readonly template: string
  readonly seo: Seo
}

/** Paths that are kept in memory, those at which there is nothing among them. */
const KEPT = 300

export interface ContentSite extends Site {
  stop(): void
}

export function createSite(
  deps: Deps<'database' | 'product' | 'operator' | 'bus'>,
  options: ContentOptions,
  { redirects, navigation }: { redirects: Redirecting; navigation: Navigation },
): ContentSite {
  const { database, product, operator, bus } = deps
  const { tenantId } = operator
  const memory = createMemory(KEPT)
  const stop = bus.subscribe(CHANGED, message => isOurs(message, tenantId) && memory.forget(), memory.forget)
  const { layoutData } = createMenus(deps, { memory, navigation })

  const pagesAt = (path: string) =>
    memory.of(`page ${path}`, async () => {
      const { rows } = await database.tenant(tenantId).query<Shown>(
        `select p.locale, v.title, v.html, v.template, v.seo from content_pages p
         join content_versions v on v.page_id = p.id and v.number = p.published_version where p.path = $1`,
        [path],
      )
      return rows.map(row => answer(row, path))
    })
  const rules = () => memory.of('redirects', () => redirects.index(tenantId))

  return {
    templates: templatesOf(options).map(name => `content.${name}`),
    stop,
    layoutData,
    async find(visit) {
      const path = canonicalPath(visit.path)
      if (path === undefined) return null
      const page = inLocale(await pagesAt(path), visit.locale, product.locales.default)
      if (page) return page
      const match = (await rules()).find(path)
      if (!match) return null
      const { to, rule } = match
      if (to === null || rule.status === 410) throw problems.page_gone()
      return { redirect: withSearch(to, visit.search), status: rule.status }
    },
  }
}

/** The same object until something changes: it is shown as it was rendered before. */
function answer({ title, template, seo, locale, html: text }: Shown, path: string) {
  return {
    name: `content.${template}`,
    title: seo.title ?? title,
    ...(seo.description !== undefined && { description: seo.description }),
    locale,
    path,
    cacheable: true,
    data: { heading: /<h1[ >]/.test(text) ? null : title, body: html(text) },
    headers: { ...(seo.noindex && { 'x-robots-tag': 'noindex' }) },
  } as const satisfies SiteAnswer
}

const isOurs = (message: unknown, tenantId: string): boolean =>
  (message as { tenantId?: unknown } | null)?.tenantId === tenantId

/** The visitor's own query goes along, unless the rule brings one. */
function withSearch(to: string, search: string): string {
  if (search === '' || to.includes('?')) return to
  const [address, fragment] = to.split('#', 2)
  return `${address}?${search}${fragment === undefined ? '' : `#${fragment}`}`
}
