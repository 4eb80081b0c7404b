/** What every page of the site shows around itself: the menus `main` and `footer` of the operator's tenant. */
import type { Deps, LayoutData, SiteVisit } from 'larder/kernel'
import { inLocale, textIn } from '../core/locale.ts'
import { type Item, visibleTo } from '../core/navigation.ts'
import type { Memory } from './memory.ts'
import { type Navigation, slugsIn, type Target, targetsOf } from './navigation.ts'

/** As layouts see it. */
export interface MenuLink {
  readonly label: string
  /** Null for a heading. */
  readonly path: string | null
  readonly items: readonly MenuLink[]
}

export function createMenus(
  { database, product, operator }: Deps<'database' | 'product' | 'operator'>,
  { memory, navigation }: { memory: Memory; navigation: Navigation },
) {
  const { tenantId } = operator
  const standard = product.locales.default

  const stored = () =>
    memory.of('menus', async () => {
      const menus = await navigation.all(tenantId)
      const items = (key: string) => menus.find(menu => menu.key === key)?.items ?? []
      const [main, footer] = [items('main'), items('footer')]
      return { main, footer, targets: await targetsOf(database.tenant(tenantId), slugsIn([...main, ...footer])) }
    })

  async function loadMenu({ caller, locale }: SiteVisit): Promise<LayoutData> {
    const { main, footer, targets } = await stored()
    const reader = { can: (permission: string) => caller?.can(permission) ?? false, pathOf: pathIn(targets, locale) }
    const text = (label: Item['label']) => textIn(label, locale, standard)
    const shown = (items: readonly Item[]) => visibleTo(reader, items).map(item => linkOf(item, text))
    return { menu: shown(main), footer: shown(footer) }
  }
  const pathIn = (targets: readonly Target[], locale: string) => (slug: string) =>
    inLocale(
      targets.filter(target => target.slug === slug && target.published),
      locale,
      standard,
    )?.path

  return {
    layoutData: (visit: SiteVisit): Promise<LayoutData> =>
      visit.caller ? loadMenu(visit) : memory.of(`menu ${visit.locale}`, () => loadMenu(visit)),
  }
}

const linkOf = (item: Item, text: (label: Item['label']) => string): MenuLink => ({
  label: text(item.label),
  path: item.path ?? null,
  items: (item.items ?? []).map(below => linkOf(below, text)),
})
