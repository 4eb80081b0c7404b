/** Menus of a tenant, each reader's own view of them. */
import {
  type Caller,
  common,
  type Deps,
  decodeCursor,
  type PageOf,
  pageLimit,
  safeUrl,
  toPage,
  type Unit,
} from 'larder/kernel'
import { pickTranslation } from '../domain/locales.ts'
import { walkItems, type MenuItem, visibleItems } from '../domain/menu.ts'
import type { Menu } from '../routes/navigation-schemas.ts'
import type { Changed } from './change-events.ts'
import { assertEditable } from './page-repository.ts'

const MOST_ITEMS = 500

const COLUMNS = `key, items, managed_by as "managedBy", created_at as "createdAt", updated_at as "updatedAt"`

export interface MenuTarget {
  readonly slug: string
  readonly path: string
  readonly locale: string
  readonly published: boolean
}

/** What is wrong with a menu beyond its shape, each with its place in `items`. */
export function validateMenu(items: readonly MenuItem[], slugs: ReadonlySet<string>) {
  const all = [...walkItems(items)]
  const many =
    all.length > MOST_ITEMS ? [{ place: [], code: 'too_many', detail: `must have at most ${MOST_ITEMS} items` }] : []
  return [
    ...many,
    ...all.flatMap(({ item, place }) => {
      if (item.page !== undefined && !slugs.has(item.page))
        return [{ place: [...place, 'page'], code: 'unknown_page', detail: `names no page: ${item.page}` }]
      // A template refuses such an address, and every page of the site would fail.
      if (item.page === undefined && item.path !== undefined && !isSafe(item.path))
        return [{ place: [...place, 'path'], code: 'wrong_format', detail: 'is no address' }]
      return []
    }),
  ]
}

function isSafe(path: string): boolean {
  try {
    safeUrl(path)
    return true
  } catch {
    return false
  }
}

export const referencedSlugs = (items: readonly MenuItem[]): string[] =>
  [...walkItems(items)].flatMap(({ item }) => (item.page === undefined ? [] : [item.page]))

export async function readTargets(unit: Unit, slugs: readonly string[]): Promise<MenuTarget[]> {
  if (slugs.length === 0) return []
  const { rows } = await unit.query<MenuTarget>(
    `select slug, path, locale, published_version is not null as published from content_pages where slug = any ($1)`,
    [slugs],
  )
  return rows
}

export function createNavigation(
  { database, clock, events, product }: Deps<'database' | 'clock' | 'events' | 'product'>,
  changed: Changed,
) {
  /** Whoever may change menus sees all of them, or a saved menu would lose what its editor may not see. */
  async function seen(tenantId: string, caller: Caller, menus: readonly Menu[]): Promise<Menu[]> {
    const editor = caller.can('content.navigation.update')
    const targets = await readTargets(database.tenant(tenantId), referencedSlugs(menus.flatMap(({ items }) => items)))
    const standard = product.locales.default
    const pathOf = (slug: string) => {
      const pages = targets.filter(target => target.slug === slug && (editor || target.published))
      return pickTranslation(pages, standard, standard)?.path
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
    return { data: await seen(tenantId, caller, data), nextCursor }
  }

  async function get(tenantId: string, caller: Caller, key: string): Promise<Menu> {
    const sql = `select ${COLUMNS} from content_navigation where key = $1`
    const { rows } = await database.tenant(tenantId).query<Menu>(sql, [key])
    const [menu] = await seen(tenantId, caller, rows)
    if (!menu) throw common.not_found({ what: 'menu' })
    return menu
  }

  /** Replaces a menu as a whole, or makes it. */
  async function put(tenantId: string, key: string, items: readonly MenuItem[]): Promise<void> {
    await database.tenant(tenantId).transaction(async unit => {
      const sql = 'select managed_by as "managedBy", editable from content_navigation where key = $1 for update'
      const { rows } = await unit.query<{ managedBy: string | null; editable: boolean }>(sql, [key])
      if (rows[0]) assertEditable(rows[0])
      const known = await readTargets(unit, referencedSlugs(items))
      const faults = validateMenu(items, new Set(known.map(({ slug }) => slug)))
      if (faults.length > 0) {
        const errors = faults.map(({ place, ...fault }) => ({ pointer: ['/items', ...place].join('/'), ...fault }))
        throw common.validation_failed({}, { errors })
      }
      await write(unit, tenantId, key, items)
    })
  }

  /** Within a unit that has checked it. */
  async function write(unit: Unit, tenantId: string, key: string, items: readonly MenuItem[]): Promise<void> {
    const { rowCount } = await unit.query(
      `insert into content_navigation (tenant_id, key, items, created_at, updated_at) values ($1, $2, $3::jsonb, $4, $4)
       on conflict (tenant_id, key) do update set items = excluded.items, updated_at = excluded.updated_at`,
      [tenantId, key, JSON.stringify(withoutPaths(items)), new Date(clock.now())],
    )
    if (rowCount !== 1) throw common.managed_by_recipe()
    await events.publish('content.navigation.updated', { payload: { key }, subject: key, tenantId })
    changed(tenantId)
  }

  /** For the site: as they are stored. */
  async function all(tenantId: string): Promise<readonly Pick<Menu, 'key' | 'items'>[]> {
    const sql = 'select key, items from content_navigation'
    return (await database.tenant(tenantId).query<Pick<Menu, 'key' | 'items'>>(sql)).rows
  }

  return { list, get, put, write, all }
}
export type Navigation = ReturnType<typeof createNavigation>

/** Of items that name a page: answers carry its path, and come back with it. */
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
