/** Pages of the API, as a tree by their paths. Pure. */

import { type Api, byNames, folded } from '@larder-dev/larder/console'

/** A page in all of its languages. */
export interface PageNode {
  readonly main: Api.PageSummary
  readonly translations: readonly Api.PageSummary[]
  readonly children: PageNode[]
}
export interface ListedNode {
  readonly node: PageNode
  readonly depth: number
}
export interface PageFilter {
  readonly text: string
  readonly status: string
  readonly locale: string
}

/** Translations have the same slug. The one in the default locale represents the page. */
export function buildTree(rows: readonly Api.PageSummary[], defaultLocale: string): PageNode[] {
  const bySlug = new Map<string, Api.PageSummary[]>()
  for (const row of rows) bySlug.set(row.slug, [...(bySlug.get(row.slug) ?? []), row])
  const nodes = [...bySlug.values()].map(translations => {
    const sorted = translations.toSorted((a, b) => a.locale.localeCompare(b.locale))
    const main = sorted.find(({ locale }) => locale === defaultLocale) ?? sorted[0]
    return { main: main as Api.PageSummary, translations: sorted, children: [] as PageNode[] }
  })
  nodes.sort((a, b) => byNames(a.main.path, b.main.path))
  const byPath = new Map(nodes.map(node => [node.main.path, node]))
  return nodes.filter(node => {
    const parent = parentOf(node.main.path, byPath)
    if (!parent || parent === node) return true
    parent.children.push(node)
    return false
  })
}

/** The page at the longest path above; the home page has no pages below it. */
function parentOf(path: string, byPath: ReadonlyMap<string, PageNode>): PageNode | undefined {
  for (let end = path.lastIndexOf('/'); end > 0; end = path.lastIndexOf('/', end - 1)) {
    const found = byPath.get(path.slice(0, end))
    if (found) return found
  }
  return undefined
}

export const isChanged = ({ status, version, publishedVersion }: Api.PageSummary): boolean =>
  status === 'published' && publishedVersion !== null && version > publishedVersion

export function matches({ translations }: PageNode, { text, status, locale }: PageFilter): boolean {
  const wanted = folded(text.trim())
  return translations.some(
    page =>
      (wanted === '' || folded(`${page.title}\n${page.path}\n${page.slug}`).includes(wanted)) &&
      (status === '' || page.status === status) &&
      (locale === '' || page.locale === locale),
  )
}

/** Rows of the tree in order: open nodes with their children; with a filter, matching nodes and those above them. */
export function listNodes(
  nodes: readonly PageNode[],
  closed: ReadonlySet<string>,
  filter: PageFilter | undefined,
  depth = 0,
): ListedNode[] {
  return nodes.flatMap(node => {
    const isOpen = filter !== undefined || !closed.has(node.main.slug)
    const below = isOpen ? listNodes(node.children, closed, filter, depth + 1) : []
    return filter && below.length === 0 && !matches(node, filter) ? [] : [{ node, depth }, ...below]
  })
}

/** `About us` → `about-us`, `Über uns` → `ueber-uns`, `Привет` → `privet`. */
export async function slugFor(title: string): Promise<string> {
  const text = germanAscii(title)
  if (/^[\x20-\x7e]*$/.test(text)) return slugOf(text) || 'page'
  // Half a megabyte, for titles in other scripts only.
  const { default: anyAscii } = await import('any-ascii')
  return slugOf(anyAscii(text)) || 'page'
}

/** What `slugFor` returns for titles in Latin letters. */
export const slugOf = (title: string): string =>
  germanAscii(title)
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '')
    .slice(0, 100)

const germanAscii = (title: string): string =>
  title
    .toLowerCase()
    .normalize('NFC')
    .replace(/ß/g, 'ss')
    .replace(/ä/g, 'ae')
    .replace(/ö/g, 'oe')
    .replace(/ü/g, 'ue')
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
