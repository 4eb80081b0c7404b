/** The operator's site: its published pages at their paths, its redirects really served. */
import type { Deps, Site, SiteAnswer, SiteVisit } from '../../../kernel/contract.ts'
import { html } from '../../../kernel/templates/engine.ts'
import { inLocale, textIn } from '../core/locale.ts'
import { type Item, visibleTo } from '../core/navigation.ts'
import { canonicalPath } from '../core/path.ts'
import { type ContentOptions, templatesOf } from '../options.ts'
import { problems } from '../problems.ts'
import type { Seo } from '../schemas.ts'
import { CHANGED } from './changes.ts'
import { createMemory } from './memory.ts'
import { type Navigation, slugsIn, type Target, targetsOf } from './navigation.ts'
import type { Redirecting } from './redirects.ts'

interface Shown {
  readonly locale: string
  readonly title: string
  readonly html: string
  readonly template: string
  readonly seo: Seo
}
interface MenuLink {
  readonly label: string
  readonly path: string | null
  readonly current: boolean
  readonly items: readonly MenuLink[]
}

/** Paths that are kept in memory, those at which there is nothing among them. */
const KEPT = 300
/** The menu that pages show. */
const MAIN = 'main'

export interface ContentSite extends Site {
  stop(): void
}

export function createSite(
  { database, product, operator, bus }: Deps<'database' | 'product' | 'operator' | 'bus'>,
  options: ContentOptions,
  { redirects, navigation }: { redirects: Redirecting; navigation: Navigation },
): ContentSite {
  const { tenantId } = operator
  const standard = product.locales.default
  const memory = createMemory(KEPT)
  const stop = bus.subscribe(CHANGED, message => isOurs(message, tenantId) && memory.forget(), memory.forget)

  const pagesAt = (path: string) =>
    memory.of(`page ${path}`, async () => {
      const { rows } = await database.tenant(tenantId).query<Shown>(
        `select p.locale, v.title, v.html, v.template, v.seo from content_pages p
         join content_versions v on v.page_id = p.id and v.number = p.published_version where p.path = $1`,
        [path],
      )
      return rows
    })
  const rules = () => memory.of('redirects', () => redirects.index(tenantId))
  const menu = () =>
    memory.of('menu', async () => {
      const items = (await navigation.all(tenantId)).find(({ key }) => key === MAIN)?.items ?? []
      return { items, targets: await targetsOf(database.tenant(tenantId), slugsIn(items)) }
    })

  async function menuFor({ caller, locale }: SiteVisit, path: string): Promise<MenuLink[]> {
    const { items, targets } = await menu()
    const reader = { can: (permission: string) => caller?.can(permission) ?? false, pathOf: pathIn(targets, locale) }
    return visibleTo(reader, items).map(item => linkOf(item, path, text => textIn(text, locale, standard)))
  }
  const pathIn = (targets: readonly Target[], locale: string) => (slug: string) =>
    inLocale(
      targets.filter(target => target.slug === slug && target.published),
      locale,
      standard,
    )?.path

  async function answer(visit: SiteVisit, path: string, page: Shown): Promise<SiteAnswer> {
    const { title, template, seo, locale } = page
    const heading = /<h1[ >]/.test(page.html) ? null : title
    return {
      name: `content.${template}`,
      title: seo.title ?? title,
      ...(seo.description !== undefined && { description: seo.description }),
      locale,
      data: { heading, body: html(page.html), menu: await menuFor(visit, path) },
      headers: { vary: 'accept-language', ...(seo.noindex && { 'x-robots-tag': 'noindex' }) },
    }
  }

  return {
    templates: templatesOf(options).map(name => `content.${name}`),
    stop,
    async find(visit) {
      const path = canonicalPath(visit.path)
      if (path === undefined) return null
      const page = inLocale(await pagesAt(path), visit.locale, standard)
      if (page) return answer(visit, path, page)
      const match = (await rules()).find(path)
      if (!match) return null
      const { to, rule } = match
      if (to === null || rule.status === 410) throw problems.page_gone()
      return { redirect: withSearch(to, visit.search), status: rule.status }
    },
  }
}

const isOurs = (message: unknown, tenantId: string): boolean =>
  (message as { tenantId?: unknown } | null)?.tenantId === tenantId

function linkOf(item: Item, path: string, text: (label: Item['label']) => string): MenuLink {
  const items = (item.items ?? []).map(below => linkOf(below, path, text))
  return { label: text(item.label), path: item.path ?? null, current: item.path === path, items }
}

/** The visitor's own query goes along, unless the rule brings one. */
function withSearch(to: string, search: string): string {
  if (search === '' || to.includes('?')) return to
  const [address, fragment] = to.split('#', 2)
  return `${address}?${search}${fragment === undefined ? '' : `#${fragment}`}`
}
