/** Menus: trees of items, some of which require a permission. Pure. */
import { type LocalText, parseUrl, type Wording, wording } from '@larder-dev/larder/kernel'
import { safeUrl } from '@larder-dev/larder/kernel/internal'

export interface MenuItem {
  readonly label: LocalText
  /** Slug of a page. */
  readonly page?: string
  /** Path of this site, or a URL. */
  readonly path?: string
  /** Required to see the item and the items below it. */
  readonly permission?: string
  readonly items?: readonly MenuItem[]
}

export interface MenuReader {
  can(permission: string): boolean
  /** Path of a page that this reader may see, or undefined. */
  pathOf(slug: string): string | undefined
}

/** The items that the reader may see, with the paths of pages. Omits headings without visible items. */
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

/** Each item of the tree with its path, such as `[0, 'items', 1]`. */
export function* walkItems(
  items: readonly MenuItem[],
  path: readonly (string | number)[] = [],
): Generator<{ item: MenuItem; path: readonly (string | number)[] }> {
  for (const [index, item] of items.entries()) {
    const itemPath = [...path, index]
    yield { item, path: itemPath }
    if (item.items) yield* walkItems(item.items, [...itemPath, 'items'])
  }
}

/** Slugs of the pages that items link to. */
export const referencedSlugs = (items: readonly MenuItem[]): string[] =>
  [...walkItems(items)].flatMap(({ item }) => (item.page === undefined ? [] : [item.page]))

const MAX_ITEMS = 500

export interface MenuError {
  readonly path: readonly (string | number)[]
  readonly code: string
  /** The end of a sentence that begins with the path. */
  readonly detail: Wording
}

/** Checks of a menu that its schema can't express. @param slugs of existing pages. */
export function validateMenu(items: readonly MenuItem[], slugs: ReadonlySet<string>): MenuError[] {
  const all = [...walkItems(items)]
  const count =
    all.length > MAX_ITEMS
      ? [{ path: [], code: 'too_many', detail: wording('must have at most {count} items', { count: MAX_ITEMS }) }]
      : []
  return [
    ...count,
    ...all.flatMap(({ item, path }) => {
      if (item.page !== undefined && !slugs.has(item.page))
        return [
          {
            path: [...path, 'page'],
            code: 'unknown_page',
            detail: wording('names an unknown page: {page}', { page: item.page }),
          },
        ]
      // Templates reject an unsafe URL, so every page of the site would fail.
      if (item.page === undefined && item.path !== undefined && !isSafeUrl(item.path))
        return [{ path: [...path, 'path'], code: 'wrong_format', detail: wording('is not a valid URL') }]
      return []
    }),
  ]
}

/** Whether templates accept it as the target of a link. */
export function isSafeUrl(path: string): boolean {
  try {
    return !URL.canParse(safeUrl(path)) || parseUrl(path) !== undefined
  } catch {
    return false
  }
}
