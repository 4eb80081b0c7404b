/** What a recipe changes in what is there: looked at by `plan`, done by `reconcile`. Pure. */

import { fingerprint } from 'larder/kernel'
import type { MenuItem } from '../domain/menu.ts'
import type { RedirectRule } from '../domain/redirect-rules.ts'
import type { PageRow } from '../services/page-repository.ts'
import type { DeclaredPage } from './declared.ts'
import type { Sections } from './sections.ts'

/** A page of the tenant's own. */
export interface OwnPage {
  readonly id: string
  readonly slug: string
  readonly path: string
  readonly locale: string
}
export interface PageChange {
  readonly plan: DeclaredPage
  /** The recipe's page as it is; undefined for one that is new. */
  readonly page: PageRow | undefined
  /** A page of the tenant's own that the recipe names: it becomes the recipe's, with its versions. */
  readonly adopt: OwnPage | undefined
}
export interface PageDiff {
  readonly changes: readonly PageChange[]
  /** No longer in the recipe; those that somebody edited stay, as the tenant's own. */
  readonly gone: readonly (PageRow & { readonly edited: boolean })[]
  /** Not brought in: their path belongs to a page of the tenant's own. */
  readonly taken: readonly { readonly plan: DeclaredPage; readonly by: OwnPage }[]
}

const nameOf = ({ slug, locale }: { slug: string; locale: string }) => `${locale} ${slug}`
/** Only what may be edited is; an edit writes a version that is not the recipe's. */
export const isEdited = ({ editable, version, recipeVersion }: PageRow): boolean =>
  editable && version !== recipeVersion

/** Planned pages that are not as the recipe has them. */
export function differing(planned: readonly DeclaredPage[], managed: readonly PageRow[]): DeclaredPage[] {
  const hashes = new Map(managed.map(page => [nameOf(page), page.recipeHash]))
  return planned.filter(plan => hashes.get(nameOf(plan)) !== plan.hash)
}

export function diffPages(
  planned: readonly DeclaredPage[],
  managed: readonly PageRow[],
  own: readonly OwnPage[],
): PageDiff {
  const pages = new Map(managed.map(page => [nameOf(page), page]))
  const wanted = new Set(planned.map(nameOf))
  const taken: { plan: DeclaredPage; by: OwnPage }[] = []
  const changes = differing(planned, managed).flatMap(plan => {
    const same = own.find(row => nameOf(row) === nameOf(plan))
    const by = own.find(row => row !== same && row.locale === plan.locale && row.path === plan.path)
    if (by) taken.push({ plan, by })
    return by ? [] : [{ plan, page: pages.get(nameOf(plan)), adopt: same }]
  })
  const gone = managed.filter(page => !wanted.has(nameOf(page))).map(page => ({ ...page, edited: isEdited(page) }))
  return { changes, gone, taken }
}

export interface MenuRow {
  readonly key: string
  readonly items: readonly MenuItem[]
  readonly managed: boolean
  readonly editable: boolean
  readonly hash: string | null
}
export interface MenuDiff {
  /** `kept`: somebody edited it, so its items stay. */
  readonly changes: readonly {
    readonly key: string
    readonly items: readonly MenuItem[]
    readonly row: MenuRow | undefined
    readonly kept: boolean
    readonly hash: string
  }[]
  readonly gone: readonly (MenuRow & { readonly edited: boolean })[]
}

const menuEdited = ({ editable, hash, items }: MenuRow): boolean => editable && fingerprint(items) !== hash

export function diffMenus(menus: Sections['navigation'], rows: readonly MenuRow[], editable: boolean): MenuDiff {
  const changes = Object.entries(menus).flatMap(([key, items]) => {
    const row = rows.find(found => found.key === key)
    const hash = fingerprint(items)
    if (row?.managed && row.hash === hash && row.editable === editable) return []
    return [{ key, items, row, hash, kept: Boolean(row?.managed && menuEdited(row) && editable) }]
  })
  const gone = rows.filter(({ key, managed }) => managed && !(key in menus))
  return { changes, gone: gone.map(row => ({ ...row, edited: menuEdited(row) })) }
}

export type RedirectRow = RedirectRule & { readonly id: string }
export interface RedirectDiff {
  readonly changes: readonly { readonly rule: RedirectRule; readonly row: RedirectRow | undefined }[]
  readonly gone: readonly RedirectRow[]
}

export function diffRedirects(planned: readonly RedirectRule[], rows: readonly RedirectRow[]): RedirectDiff {
  const wanted = new Set(planned.map(({ from }) => from))
  const known = new Map(rows.map(row => [row.from, row]))
  const changes = planned
    .map(rule => ({ rule, row: known.get(rule.from) }))
    .filter(({ rule, row }) => row?.to !== rule.to || row?.status !== rule.status)
  return { changes, gone: rows.filter(({ from }) => !wanted.has(from)) }
}
