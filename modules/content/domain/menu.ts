/** Menus: a tree of labels, some of which not every reader may see. Pure. */
import type { LocalText } from './locales.ts'

export interface MenuItem {
  readonly label: LocalText
  /** Slug of a page. */
  readonly page?: string
  /** Path of this site, or a whole address. */
  readonly path?: string
  /** Who does not hold it does not see the item, nor what is under it. */
  readonly permission?: string
  readonly items?: readonly MenuItem[]
}

export interface MenuReader {
  can(permission: string): boolean
  /** Path of a page that this reader may see; undefined where there is none. */
  pathOf(slug: string): string | undefined
}

/** What the reader may see, pages with their paths. A heading under which nothing is left goes too. */
export function visibleItems(reader: MenuReader, items: readonly MenuItem[]): MenuItem[] {
  return items.flatMap(item => {
    if (item.permission !== undefined && !reader.can(item.permission)) return []
    const path = item.page === undefined ? item.path : reader.pathOf(item.page)
    if (item.page !== undefined && path === undefined) return []
    const below = item.items && visibleItems(reader, item.items)
    const heading = path === undefined && item.items !== undefined
    if (heading && below?.length === 0) return []
    return [{ ...item, ...(path !== undefined && { path }), ...(below && { items: below }) }]
  })
}

/** Each item of the tree with its place in it, e.g. `['0', 'items', '1']`. */
export function* walkItems(
  items: readonly MenuItem[],
  place: readonly (string | number)[] = [],
): Generator<{ item: MenuItem; place: readonly (string | number)[] }> {
  for (const [index, item] of items.entries()) {
    const here = [...place, index]
    yield { item, place: here }
    if (item.items) yield* walkItems(item.items, [...here, 'items'])
  }
}
