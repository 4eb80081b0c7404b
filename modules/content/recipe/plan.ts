import type { Deps, RecipeChange, RecipeView } from '@larder-dev/larder/kernel'
import type { ContentOptions } from '../options.ts'
import { readMenuDiff } from './apply-menus.ts'
import { readPageDiff } from './apply-pages.ts'
import { readRedirectDiff } from './apply-redirects.ts'
import { declareContent } from './declarations.ts'
import type { MenuDiff, PageDiff, PageWrite, RedirectDiff } from './diff.ts'
import type { Sections } from './sections.ts'

export async function plan(
  { database, operator }: Deps<'database' | 'operator'>,
  options: ContentOptions,
  recipe: RecipeView<Sections>,
): Promise<readonly RecipeChange[]> {
  const { pages, menus, redirects } = declareContent(options, recipe)
  return database.tenant(operator.tenantId).transaction(async unit => {
    const pageDiff = await readPageDiff(unit, pages, { lock: false })
    const menuDiff = await readMenuDiff(unit, menus, { editable: options.editable, lock: false })
    const redirectDiff = await readRedirectDiff(unit, redirects, { lock: false })
    return [...describePages(pageDiff), ...describeMenus(menuDiff), ...describeRedirects(redirectDiff)]
  })
}

const pageName = ({ slug, locale }: { slug: string; locale: string }) => `page ${slug} (${locale})`

export function describePages({ writes, gone, taken }: PageDiff): RecipeChange[] {
  return [
    ...writes.map(write => ({
      change: write.kind === 'change' ? ('change' as const) : ('add' as const),
      subject: pageName(write.declared),
      detail: describePage(write),
    })),
    ...gone.map(({ row, release }) => ({
      change: 'remove' as const,
      subject: pageName(row),
      ...(release && { detail: 'was edited and stays, as a page of the operator' }),
      ...(!release && row.publishedVersion !== null && { breaks: `${row.path} returns 404` }),
    })),
    ...taken.map(({ declared, by }) => ({
      change: 'add' as const,
      subject: pageName(declared),
      detail: `left out: ${declared.path} is the path of the operator’s page ${by.slug}`,
    })),
  ]
}

function describePage({ kind, declared, row }: PageWrite): string {
  const { slug, path, published } = declared
  if (kind === 'add') return `at ${path}`
  if (kind === 'adopt') return `takes over the operator’s page ${row.slug}`
  const wasPublished = row.publishedVersion !== null
  const parts = [
    ...(row.slug === slug ? [] : [`slug ${row.slug} → ${slug}`]),
    ...(row.path === path ? [] : [`path ${row.path} → ${path}${row.publishedAt ? ', with a redirect' : ''}`]),
    ...(wasPublished === published ? [] : [published ? 'published' : 'unpublished']),
    ...(row.editable === declared.editable ? [] : [declared.editable ? 'editable' : 'no longer editable']),
  ]
  return parts.join(', ') || 'text'
}

export function describeMenus({ writes, gone }: MenuDiff): RecipeChange[] {
  return [
    ...writes.map(({ kind, declared, edited }) => ({
      change: kind === 'change' ? ('change' as const) : ('add' as const),
      subject: `menu ${declared.key}`,
      ...(edited && { detail: 'keeps the edited items' }),
      ...(kind === 'adopt' && { detail: 'takes over a menu of the operator' }),
    })),
    ...gone.map(({ row, release }) => ({
      change: 'remove' as const,
      subject: `menu ${row.key}`,
      ...(release && { detail: 'was edited and stays, as a menu of the operator' }),
    })),
  ]
}

export function describeRedirects({ writes, gone }: RedirectDiff): RecipeChange[] {
  const target = ({ to, status }: { to: string | null; status: number }) =>
    to === null ? `${status}` : `${to} (${status})`
  return [
    ...writes.map(({ rule, row }) => ({
      change: row ? ('change' as const) : ('add' as const),
      subject: `redirect ${rule.from}`,
      detail: row ? `${target(row)} → ${target(rule)}` : `to ${target(rule)}`,
    })),
    ...gone.map(row => ({
      change: 'remove' as const,
      subject: `redirect ${row.from}`,
      breaks: `${row.from} returns 404`,
    })),
  ]
}
