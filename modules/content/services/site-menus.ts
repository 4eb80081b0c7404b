/** What every page of the site shows around itself: the menus `main` and `footer` of the operator's tenant. */
import type { Deps, Frame, SiteVisit } from 'larder/kernel'
import { pickTranslation, pickText } from '../domain/locales.ts'
import { type MenuItem, visibleItems } from '../domain/menu.ts'
import type { Memory } from './memory.ts'
import { type Navigation, referencedSlugs, type MenuTarget, readTargets } from './menu-service.ts'

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
      return { main, footer, targets: await readTargets(database.tenant(tenantId), referencedSlugs([...main, ...footer])) }
    })

  async function frameFor({ caller, locale }: SiteVisit): Promise<Frame> {
    const { main, footer, targets } = await stored()
    const reader = { can: (permission: string) => caller?.can(permission) ?? false, pathOf: pathIn(targets, locale) }
    const text = (label: MenuItem['label']) => pickText(label, locale, standard)
    const shown = (items: readonly MenuItem[]) => visibleItems(reader, items).map(item => linkOf(item, text))
    return { menu: shown(main), footer: shown(footer) }
  }
  const pathIn = (targets: readonly MenuTarget[], locale: string) => (slug: string) =>
    pickTranslation(
      targets.filter(target => target.slug === slug && target.published),
      locale,
      standard,
    )?.path

  return {
    frame: (visit: SiteVisit): Promise<Frame> =>
      visit.caller ? frameFor(visit) : memory.of(`frame ${visit.locale}`, () => frameFor(visit)),
  }
}

const linkOf = (item: MenuItem, text: (label: MenuItem['label']) => string): MenuLink => ({
  label: text(item.label),
  path: item.path ?? null,
  items: (item.items ?? []).map(below => linkOf(below, text)),
})
