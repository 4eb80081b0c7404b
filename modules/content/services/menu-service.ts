/** Reads and changes the menus of a tenant. Readers see the items that their permissions allow. */
import {
  type Caller,
  common,
  type Deps,
  decodeCursor,
  type PageOf,
  pageLimit,
  pickTranslation,
  toPage,
  type Unit,
} from 'larder/kernel'
import { type MenuItem, referencedSlugs, validateMenu, visibleItems } from '../domain/menu.ts'
import type { Menu } from '../routes/navigation-schemas.ts'
import { assertEditable } from './page-repository.ts'
import type { SiteCache } from './site-cache.ts'

const COLUMNS = `key, items, managed_by as "managedBy", created_at as "createdAt", updated_at as "updatedAt"`

export interface MenuTarget {
  readonly slug: string
  readonly path: string
  readonly locale: string
  readonly published: boolean
}

export async function readTargets(unit: Unit, slugs: readonly string[]): Promise<MenuTarget[]> {
  if (slugs.length === 0) return []
  const { rows } = await unit.query<MenuTarget>(
    `select slug, path, locale, published_version is not null as published from content_pages where slug = any ($1)`,
    [slugs],
  )
  return rows
}

export interface MenuService {
  list(tenantId: string, caller: Caller, query: { limit?: number; cursor?: string | undefined }): Promise<PageOf<Menu>>
  /** Throws `not_found`. */
  get(tenantId: string, caller: Caller, key: string): Promise<Menu>
  /** Creates a menu, or replaces all of its items. */
  put(tenantId: string, key: string, items: readonly MenuItem[]): Promise<void>
  /** Writes validated items in the given unit. */
  write(unit: Unit, tenantId: string, key: string, items: readonly MenuItem[]): Promise<void>
  /** The stored menus, without a reader's view. */
  readAll(tenantId: string): Promise<readonly StoredMenu[]>
}
export type StoredMenu = Pick<Menu, 'key' | 'items'>

export function createMenuService(
  { database, clock, events, product }: Deps<'database' | 'clock' | 'events' | 'product'>,
  cache: SiteCache,
): MenuService {
  /** Editors see all items, because a saved menu would lose those that its editor doesn't see. */
  async function forReader(tenantId: string, caller: Caller, menus: readonly Menu[]): Promise<Menu[]> {
    const editor = caller.can('content.navigation.update')
    const targets = await readTargets(database.tenant(tenantId), referencedSlugs(menus.flatMap(({ items }) => items)))
    const defaultLocale = product.locales.default
    const pathOf = (slug: string) => {
      const pages = targets.filter(target => target.slug === slug && (editor || target.published))
      return pickTranslation(pages, defaultLocale, defaultLocale)?.path
    }
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
    const [after = null] = decodeCursor(query.cursor, 1) ?? []
    const limit = pageLimit(query)
    const sql = `select ${COLUMNS} from content_navigation where $1::text is null or key > $1 order by key limit $2`
    const { rows } = await database.tenant(tenantId).query<Menu>(sql, [after, limit + 1])
    const { data, nextCursor } = toPage(rows, limit, row => [row.key])
    return { data: await forReader(tenantId, caller, data), nextCursor }
  }

  async function get(tenantId: string, caller: Caller, key: string): Promise<Menu> {
    const sql = `select ${COLUMNS} from content_navigation where key = $1`
    const { rows } = await database.tenant(tenantId).query<Menu>(sql, [key])
    const [menu] = await forReader(tenantId, caller, rows)
    if (!menu) throw common.not_found({ what: 'menu' })
    return menu
  }

  async function put(tenantId: string, key: string, items: readonly MenuItem[]): Promise<void> {
    await database.tenant(tenantId).transaction(async unit => {
      const sql = 'select managed_by as "managedBy", editable from content_navigation where key = $1 for update'
      const { rows } = await unit.query<{ managedBy: string | null; editable: boolean }>(sql, [key])
      if (rows[0]) assertEditable(rows[0])
      const known = await readTargets(unit, referencedSlugs(items))
      const errors = validateMenu(items, new Set(known.map(({ slug }) => slug)))
      if (errors.length > 0) {
        const fields = errors.map(({ path, ...error }) => ({ pointer: ['/items', ...path].join('/'), ...error }))
        throw common.validation_failed({}, { errors: fields })
      }
      await write(unit, tenantId, key, items)
    })
  }

  async function write(unit: Unit, tenantId: string, key: string, items: readonly MenuItem[]): Promise<void> {
    const { rowCount } = await unit.query(
      `insert into content_navigation (tenant_id, key, items, created_at, updated_at) values ($1, $2, $3::jsonb, $4, $4)
       on conflict (tenant_id, key) do update set items = excluded.items, updated_at = excluded.updated_at`,
      [tenantId, key, JSON.stringify(withoutPaths(items)), new Date(clock.now())],
    )
    if (rowCount !== 1) throw common.managed_by_recipe()
    await events.publish('content.navigation.updated', { payload: { key }, subject: key, tenantId })
    cache.invalidateAfterCommit(tenantId)
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
