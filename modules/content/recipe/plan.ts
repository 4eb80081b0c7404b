/** What `reconcile` would do, told before it is done. */
import type { Deps, RecipeChange, RecipeView } from 'larder/kernel'
import type { ContentOptions } from '../options.ts'
import type { MenuDiff, PageChange, PageDiff, RedirectDiff } from './diff.ts'
import { readMenuDiff } from './apply-menus.ts'
import { readPageDiff } from './apply-pages.ts'
import { plannedOf } from './apply.ts'
import { readRedirectDiff } from './apply-redirects.ts'
import type { Sections } from './sections.ts'

export async function plan(
  { database, operator }: Deps<'database' | 'operator'>,
  options: ContentOptions,
  recipe: RecipeView<Sections>,
): Promise<readonly RecipeChange[]> {
  const { pages, menus, redirects } = plannedOf(options, recipe)
  return database.tenant(operator.tenantId).transaction(async unit => {
    const pageDiff = await readPageDiff(unit, pages, false)
    const menuDiff = await readMenuDiff(unit, menus, options.editable, false)
    const redirectDiff = await readRedirectDiff(unit, redirects, false)
    return [...describePages(pageDiff), ...describeMenus(menuDiff), ...describeRedirects(redirectDiff)]
  })
}

const pageName = ({ slug, locale }: { slug: string; locale: string }) => `page ${slug} (${locale})`

export function describePages({ changes, gone, taken }: PageDiff): RecipeChange[] {
  return [
    ...changes.map(change => ({
      change: change.page ? ('change' as const) : ('add' as const),
      subject: pageName(change.plan),
      detail: detailOf(change),
    })),
    ...gone.map(page => ({
      change: 'remove' as const,
      subject: pageName(page),
      ...(page.edited && { detail: 'somebody edited it: it stays, as a page of the operator’s own' }),
      ...(!page.edited && page.publishedVersion !== null && { breaks: `visitors find nothing at ${page.path}` }),
    })),
    ...taken.map(({ plan, by }) => ({
      change: 'add' as const,
      subject: pageName(plan),
      detail: `left out: ${plan.path} belongs to the page ${by.slug} of the operator’s own`,
    })),
  ]
}

function detailOf({ plan, page, adopt }: PageChange): string {
  const { path, published } = plan
  if (!page) return adopt ? `takes over the page ${adopt.slug} of the operator’s own` : `at ${path}`
  const isShown = page.publishedVersion !== null
  const parts = [
    ...(page.path === path ? [] : [`path ${page.path} → ${path}`]),
    ...(isShown === published ? [] : [published ? 'published' : 'taken back']),
    ...(page.editable === plan.editable ? [] : [plan.editable ? 'may be edited' : 'may no longer be edited']),
  ]
  return parts.join(', ') || 'what it says'
}

export function describeMenus({ changes, gone }: MenuDiff): RecipeChange[] {
  return [
    ...changes.map(({ key, row, kept }) => ({
      change: row?.managed ? ('change' as const) : ('add' as const),
      subject: `menu ${key}`,
      ...(kept && { detail: 'somebody edited it: its items stay' }),
      ...(row && !row.managed && { detail: 'takes over the menu of the operator’s own' }),
    })),
    ...gone.map(({ key, edited }) => ({
      change: 'remove' as const,
      subject: `menu ${key}`,
      ...(edited && { detail: 'somebody edited it: it stays, as a menu of the operator’s own' }),
    })),
  ]
}

export function describeRedirects({ changes, gone }: RedirectDiff): RecipeChange[] {
  const target = ({ to, status }: { to: string | null; status: number }) =>
    to === null ? `${status}` : `${to} (${status})`
  return [
    ...changes.map(({ rule, row }) => ({
      change: row ? ('change' as const) : ('add' as const),
      subject: `redirect ${rule.from}`,
      detail: row ? `${target(row)} → ${target(rule)}` : `to ${target(rule)}`,
    })),
    ...gone.map(row => ({
      change: 'remove' as const,
      subject: `redirect ${row.from}`,
      breaks: `links to ${row.from} lead nowhere`,
    })),
  ]
}
