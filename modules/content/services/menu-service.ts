/** Reads and changes the menus of a tenant. Readers see the items that their permissions allow. */
import {
  assertEditable,
  type Caller,
  type Deps,
  fieldError,
  invalidFields,
  type PageOf,
  type Step,
  type Unit,
} from '@larder-dev/larder/kernel'
import { pickTranslation } from '@larder-dev/larder/kernel/internal'
import { type MenuItem, referencedSlugs, validateMenu, visibleItems } from '../domain/menu.ts'
import { type Menu, menuTable } from '../records/navigation.ts'
import { rowsOf } from './batch-rows.ts'
import type { SiteCache } from './site-cache.ts'

const KEPT = ['managedBy', 'editable', 'recipeHash', 'createdAt'] as const
const UPSERT = `${menuTable.replacing(['tenantId', 'key'], KEPT)} returning ${menuTable.columns()}`

export interface MenuTarget {
  readonly slug: string
  readonly path: string
  readonly locale: string
  readonly published: boolean
}

const targetsStep = (slugs: readonly string[]): Step => [
  `select slug, path, locale, published_version is not null as published from content_pages where slug = any ($1)`,
  [slugs],
]

export async function readTargets(unit: Unit, slugs: readonly string[]): Promise<MenuTarget[]> {
  if (slugs.length === 0) return []
  const { rows } = await unit.query<MenuTarget>(...targetsStep(slugs))
  return rows
}

/** What editors write. */
interface MenuContent {
  readonly items: readonly MenuItem[]
}
export interface MenuService {
  list(tenantId: string, caller: Caller, query: { limit?: number; cursor?: string | undefined }): Promise<PageOf<Menu>>
  /** Throws `not_found`. */
  get(tenantId: string, caller: Caller, key: string): Promise<Menu>
  /** Creates a menu, or replaces all of its items. Returns the editor's view of it. */
  put(tenantId: string, key: string, menu: MenuContent): Promise<Menu>
  /** Writes a validated menu in the given unit. */
  write(unit: Unit, tenantId: string, key: string, menu: MenuContent): Promise<Menu>
  /** The stored menus, without a reader's view. */
  readAll(tenantId: string): Promise<readonly StoredMenu[]>
}
export type StoredMenu = Pick<Menu, 'key' | 'items'>

type MenuDeps = Deps<'database' | 'clock' | 'events' | 'product'> & { readonly siteCache: SiteCache }

export function createMenuService({ database, clock, events, product, siteCache }: MenuDeps): MenuService {
  const { default: defaultLocale } = product.locales

  const pathIn =
    (targets: readonly MenuTarget[], editor: boolean) =>
    (slug: string): string | undefined => {
      const pages = targets.filter(target => target.slug === slug && (editor || target.published))
      return pickTranslation(pages, defaultLocale, defaultLocale)?.path
    }

  /** Editors see all items, because a saved menu would lose those that its editor doesn't see. */
  async function forReader(tenantId: string, caller: Caller, menus: readonly Menu[]): Promise<Menu[]> {
    const editor = caller.can('content.navigation.update')
    const targets = await readTargets(database.tenant(tenantId), referencedSlugs(menus.flatMap(({ items }) => items)))
    const pathOf = pathIn(targets, editor)
    const reader = { can: (permission: string) => editor || caller.can(permission), pathOf }
    return menus.map(menu => ({
      ...menu,
      items: editor ? withPaths(menu.items, pathOf) : visibleItems(reader, menu.items),
    }))
  }

  async function list(
    tenantId: string,
    caller: Caller,
    query: { limit?: number; cursor?: string | undefined },
  ): Promise<PageOf<Menu>> {
    const { data, nextCursor } = await menuTable.page(database.tenant(tenantId), { ...query, ascending: true })
    return { data: await forReader(tenantId, caller, data), nextCursor }
  }

  async function get(tenantId: string, caller: Caller, key: string): Promise<Menu> {
    const [menu] = await forReader(tenantId, caller, [await menuTable.get(database.tenant(tenantId), { key })])
    return menu as Menu
  }

  async function put(tenantId: string, key: string, given: MenuContent): Promise<Menu> {
    const { items } = given
    return database.tenant(tenantId).transaction(async unit => {
      const sql = 'select managed_by as "managedBy", editable from content_navigation where key = $1 for update'
      const { menus, pages } = await unit.all({
        menus: [sql, [key]],
        pages: targetsStep(referencedSlugs(items)),
      })
      const [stored] = rowsOf<{ managedBy: string | null; editable: boolean }>(menus)
      if (stored) assertEditable(stored, 'modules.content.editable')
      const targets = rowsOf<MenuTarget>(pages)
      const errors = validateMenu(items, new Set(targets.map(({ slug }) => slug)))
      if (errors.length > 0) {
        const fields = errors.map(({ path, code, detail }) => fieldError(['/items', ...path].join('/'), code, detail))
        throw invalidFields(fields)
      }
      const menu = await write(unit, tenantId, key, given)
      return { ...menu, items: withPaths(menu.items, pathIn(targets, true)) }
    })
  }

  async function write(unit: Unit, tenantId: string, key: string, menu: MenuContent): Promise<Menu> {
    const now = new Date(clock.now())
    const items = withoutPaths(menu.items)
    const [written] = await menuTable.query(
      unit,
      ...menuTable.insertStep(
        { ...menu, tenantId, key, items, editable: true, createdAt: now, updatedAt: now },
        UPSERT,
      ),
    )
    await events.publish('content.navigation.updated', { payload: { key }, subject: key, tenantId })
    siteCache.invalidateAfterCommit(tenantId)
    return written as Menu
  }

  async function readAll(tenantId: string): Promise<readonly StoredMenu[]> {
    const { rows } = await database.tenant(tenantId).query<StoredMenu>('select key, items from content_navigation')
    return rows
  }

  return { list, get, put, write, readAll }
}

/** Removes the paths that replies add to items with a page. */
const withoutPaths = (items: readonly MenuItem[]): MenuItem[] =>
  items.map(({ path, items: below, ...item }) => ({
    ...item,
    ...(item.page === undefined && path !== undefined && { path }),
    ...(below && { items: withoutPaths(below) }),
  }))

const withPaths = (items: readonly MenuItem[], pathOf: (slug: string) => string | undefined): MenuItem[] =>
  items.map(item => {
    const path = item.page === undefined ? item.path : pathOf(item.page)
    return { ...item, ...(path !== undefined && { path }), ...(item.items && { items: withPaths(item.items, pathOf) }) }
  })
