/** The menus on every page of the site: `main` and `footer` of the operator's tenant. */
import { type Deps, type LayoutData, pickText, type SiteVisit } from '@larder-dev/larder/kernel'
import { pickTranslation } from '@larder-dev/larder/kernel/internal'
import { type MenuItem, referencedSlugs, visibleItems } from '../domain/menu.ts'
import { type MenuService, type MenuTarget, readTargets } from './menu-service.ts'
import type { SiteCache } from './site-cache.ts'

/** As layouts use it. */
export interface MenuLink {
  readonly label: string
  /** Null for a heading. */
  readonly path: string | null
  readonly items: readonly MenuLink[]
}
export interface SiteMenus {
  layoutData(visit: SiteVisit): Promise<LayoutData>
}

export type SiteMenusDeps = Deps<'database' | 'product' | 'operator'> & {
  readonly menus: MenuService
  readonly siteCache: SiteCache
}

export function createSiteMenus({ database, product, operator, menus, siteCache }: SiteMenusDeps): SiteMenus {
  const { tenantId } = operator
  const defaultLocale = product.locales.default

  const storedMenus = () =>
    siteCache.get('menus', async () => {
      const all = await menus.readAll(tenantId)
      const itemsOf = (key: string) => all.find(menu => menu.key === key)?.items ?? []
      const [main, footer] = [itemsOf('main'), itemsOf('footer')]
      return {
        main,
        footer,
        targets: await readTargets(database.tenant(tenantId), referencedSlugs([...main, ...footer])),
      }
    })

  async function loadMenus({ caller, locale }: SiteVisit): Promise<LayoutData> {
    const { main, footer, targets } = await storedMenus()
    const reader = { can: (permission: string) => caller?.can(permission) ?? false, pathOf: pathIn(targets, locale) }
    const toText = (label: MenuItem['label']) => pickText(label, locale, defaultLocale)
    const links = (items: readonly MenuItem[]) => visibleItems(reader, items).map(item => toLink(item, toText))
    return { menu: links(main), footer: links(footer) }
  }
  const pathIn = (targets: readonly MenuTarget[], locale: string) => (slug: string) =>
    pickTranslation(
      targets.filter(target => target.slug === slug && target.published),
      locale,
      defaultLocale,
    )?.path

  return {
    // Menus of signed-in visitors depend on their permissions.
    layoutData: visit =>
      visit.caller ? loadMenus(visit) : siteCache.get(`menus ${visit.locale}`, () => loadMenus(visit)),
  }
}

const toLink = (item: MenuItem, toText: (label: MenuItem['label']) => string): MenuLink => ({
  label: toText(item.label),
  path: item.path ?? null,
  items: (item.items ?? []).map(below => toLink(below, toText)),
})
