/** Compares the pages, menus and redirects of a recipe with those in the database. Pure. */
import { fingerprint } from '@larder-dev/larder/kernel'
import {
  diffManagedRows,
  type ManagedRow,
  type ManagedRowsDiff,
  type ManagedWrite,
} from '@larder-dev/larder/kernel/internal'
import type { MenuItem } from '../domain/menu.ts'
import type { RedirectRule } from '../domain/redirect-rules.ts'
import type { PageRow } from '../records/page.ts'
import type { DeclaredPage } from './declarations.ts'
import type { Sections } from './sections.ts'

export type PageWrite = ManagedWrite<DeclaredPage, PageRow>
export interface PageDiff extends ManagedRowsDiff<DeclaredPage, PageRow> {
  /** Left out, because a page of the tenant has the path. */
  readonly taken: readonly { readonly declared: DeclaredPage; readonly by: PageRow }[]
}

const nameOf = ({ slug, locale }: { slug: string; locale: string }) => `${locale} ${slug}`
/** An edit writes a version that isn't the recipe's. */
const isPageEdited = ({ editable, version, recipeVersion }: PageRow): boolean => editable && version !== recipeVersion

/** Declared pages that differ from those in the database. */
export function changedPages(declared: readonly DeclaredPage[], managed: readonly PageRow[]): DeclaredPage[] {
  const hashes = new Map(managed.map(page => [nameOf(page), page.recipeHash]))
  return declared.filter(page => hashes.get(nameOf(page)) !== page.hash)
}

/** @param own pages of the tenant with the slug or path of a changed page. */
export function diffPages(
  declared: readonly DeclaredPage[],
  managed: readonly PageRow[],
  own: readonly PageRow[],
): PageDiff {
  const declarations = new Map(declared.map(page => [nameOf(page), page]))
  const renamed = renamedPages(declared, managed)
  const { writes, gone } = diffManagedRows<DeclaredPage, PageRow>(declarations, [...managed, ...own], {
    keyOf: row => renamed.get(nameOf(row)) ?? nameOf(row),
    isEdited: isPageEdited,
    isReleased: isPageEdited,
  })
  const holderOf = ({ slug, locale, path }: DeclaredPage) =>
    own.find(row => row.locale === locale && row.path === path && row.slug !== slug)
  return {
    writes: writes.filter(({ declared }) => !holderOf(declared)),
    gone,
    taken: writes.flatMap(({ declared }) => {
      const by = holderOf(declared)
      return by ? [{ declared, by }] : []
    }),
  }
}

/** Old name → new name of pages that `was` renames. A page that already has its new name is not renamed again. */
function renamedPages(declared: readonly DeclaredPage[], managed: readonly PageRow[]): Map<string, string> {
  const [declaredNames, managedNames] = [declared, managed].map(pages => new Set(pages.map(nameOf)))
  return new Map(
    declared.flatMap(page => {
      const [name, before] = [nameOf(page), nameOf({ locale: page.locale, slug: page.was ?? '' })]
      const isRename = page.was !== undefined && !declaredNames?.has(before) && !managedNames?.has(name)
      return isRename ? [[before, name]] : []
    }),
  )
}

export interface MenuRow extends ManagedRow {
  readonly key: string
  readonly items: readonly MenuItem[]
  readonly editable: boolean
}
export interface DeclaredMenu {
  readonly key: string
  readonly items: readonly MenuItem[]
  readonly hash: string
}
export type MenuDiff = ManagedRowsDiff<DeclaredMenu, MenuRow>

const isMenuEdited = ({ editable, recipeHash, items }: MenuRow): boolean =>
  editable && fingerprint(items) !== recipeHash

/** @param editable whether the recipe lets editors change its menus. */
export function diffMenus(menus: Sections['navigation'], rows: readonly MenuRow[], editable: boolean): MenuDiff {
  const declared = Object.entries(menus).map(([key, items]): [string, DeclaredMenu] => [
    key,
    { key, items, hash: fingerprint(items) },
  ])
  return diffManagedRows(new Map(declared), rows, {
    keyOf: ({ key }) => key,
    isEdited: row => editable && isMenuEdited(row),
    isCurrent: (row, { hash }) => row.recipeHash === hash && row.editable === editable,
    isReleased: isMenuEdited,
  })
}

export type RedirectRow = RedirectRule & { readonly id: string }
export interface RedirectDiff {
  readonly writes: readonly { readonly rule: RedirectRule; readonly row: RedirectRow | undefined }[]
  readonly gone: readonly RedirectRow[]
}

export function diffRedirects(declared: readonly RedirectRule[], rows: readonly RedirectRow[]): RedirectDiff {
  const sources = new Set(declared.map(({ from }) => from))
  const rowsBySource = new Map(rows.map(row => [row.from, row]))
  const writes = declared
    .map(rule => ({ rule, row: rowsBySource.get(rule.from) }))
    .filter(({ rule, row }) => row?.to !== rule.to || row?.status !== rule.status)
  return { writes, gone: rows.filter(({ from }) => !sources.has(from)) }
}
