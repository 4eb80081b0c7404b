/** The pages of the recipe. One of the operator with the slug of a page becomes the recipe's. */
import {
  type Deps,
  diffManagedRows,
  type ManagedContext,
  type ManagedRowsDiff,
  type ManagedSection,
  type ManagedWrite,
  managedSection,
  type RecipeChange,
  type Unit,
} from '@larder-dev/larder/kernel'
import type { ContentOptions } from '../options.ts'
import type { PageRow } from '../records/page.ts'
import type { MarkdownRenderer } from '../services/markdown-renderer.ts'
import { lockPage, managedPages, pagesWithAddress } from '../services/page-repository.ts'
import type { PageService } from '../services/page-service.ts'
import type { PublishingService } from '../services/publishing-service.ts'
import type { VersionService } from '../services/version-service.ts'
import { type DeclaredPage, pagesOf } from './declarations.ts'
import type { Sections } from './sections.ts'

export type PageWriteDeps = Deps<'operator'> & {
  readonly markdown: MarkdownRenderer
  readonly pages: PageService
  readonly publishing: PublishingService
  readonly versions: VersionService
}
type Context = ManagedContext<PageWriteDeps & Deps<'database' | 'log'>, ContentOptions, Sections>

type PageWrite = ManagedWrite<DeclaredPage, PageRow>
interface PageDiff extends ManagedRowsDiff<DeclaredPage, PageRow> {
  /** Left out, because a page of the tenant has the path. */
  readonly taken: readonly { readonly declared: DeclaredPage; readonly by: PageRow }[]
}

const nameOf = ({ slug, locale }: { slug: string; locale: string }) => `${locale} ${slug}`
/** An edit writes a version that isn't the recipe's. */
const isPageEdited = ({ editable, version, recipeVersion }: PageRow): boolean => editable && version !== recipeVersion

/** Declared pages that differ from those in the database. */
function changedPages(declared: readonly DeclaredPage[], managed: readonly PageRow[]): DeclaredPage[] {
  const hashes = new Map(managed.map(page => [nameOf(page), page.recipeHash]))
  return declared.filter(page => hashes.get(nameOf(page)) !== page.hash)
}

/** @param own pages of the tenant with the slug or path of a changed page. */
export function diffPages(
  declared: readonly DeclaredPage[],
  managed: readonly PageRow[],
  own: readonly PageRow[],
): PageDiff {
  const renamed = renamedPages(declared, managed)
  const { writes, gone } = diffManagedRows<DeclaredPage, PageRow>(declared, [...managed, ...own], {
    keyOf: page => renamed.get(nameOf(page)) ?? nameOf(page),
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

async function readDiff({ unit, options, recipe }: Context, lock: boolean): Promise<PageDiff> {
  const declared = pagesOf(options, recipe)
  const managed = await managedPages(unit, lock)
  const changed = changedPages(declared, managed)
  const own = changed.length === 0 ? [] : await pagesWithAddress(unit, changed, lock)
  return diffPages(declared, managed, own)
}

const subject = ({ slug, locale }: { slug: string; locale: string }) => `page ${slug} (${locale})`

const section = managedSection<Context, DeclaredPage, PageRow>({
  subject,
  diff: readDiff,
  describeWrite: write => ({ detail: describePage(write) }),
  describeRemoval: ({ row, release }) => ({
    ...(release && { detail: 'was edited and stays, as a page of the operator' }),
    ...(!release && row.publishedVersion !== null && { breaks: `${row.path} returns 404` }),
  }),
  write: ({ deps, unit }, write) => writePage(deps, unit, write),
  remove: ({ deps: { pages, operator }, unit }, { row, release }) =>
    release ? releasePage(unit, row) : pages.delete(unit, operator.tenantId, row),
})

export const pages: ManagedSection<Context> = {
  plan: async context => describePages(await readDiff(context, false), context),
  async apply(context) {
    const diff = await readDiff(context, true)
    for (const { declared, by } of diff.taken)
      context.deps.log.warn(
        { page: declared.slug, path: declared.path, taken: by.id },
        'path of a recipe page is taken',
      )
    for (const { row, declared } of diff.writes)
      if (row) await releasePage(context.unit, row, declared.path !== row.path)
    await section.write(context, diff)
  },
}

export const describePages = async (diff: PageDiff, context: Context): Promise<RecipeChange[]> => [
  ...(await section.describe(diff, context)),
  ...diff.taken.map(({ declared, by }) => ({
    change: 'add' as const,
    subject: subject(declared),
    detail: `left out: ${declared.path} is the path of the operator’s page ${by.slug}`,
  })),
]

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

/** Opens the page to the services. @param moves frees its path, so that two pages of the recipe can swap paths. */
async function releasePage(unit: Unit, { id }: PageRow, moves = false): Promise<void> {
  await unit.query(
    `update content_pages set managed_by = null, editable = true, recipe_hash = null,
       path = case when $2 then '~' || id else path end where id = $1`,
    [id, moves],
  )
}

/** Keeps the text and the state of an edited page, and changes its slug and path only. */
export async function writePage(
  { markdown, pages, publishing, versions, operator: { tenantId } }: PageWriteDeps,
  unit: Unit,
  { declared, row, edited }: PageWrite,
): Promise<void> {
  const { slug, locale, path, text, published, editable, hash } = declared
  const id = row?.id ?? (await pages.create(tenantId, { slug, locale, path, ...text }, null)).page.id
  if (row) {
    const { body, ...fields } = text
    const newText = edited ? {} : { ...fields, content: await markdown.renderTrusted(body) }
    const current = { page: row, text: await versions.textOf(unit, id, row.version) }
    await pages.applyChange(unit, tenantId, current, { slug, path, publishAt: null, ...newText }, null)
  }
  if (!edited && published) await publishing.publishVersion(unit, tenantId, await lockPage(unit, id))
  if (!edited && !published) await publishing.unpublish(tenantId, id, {})
  await unit.query(
    `update content_pages set managed_by = 'recipe', editable = $2, recipe_hash = $3,
       recipe_version = case when $4 then recipe_version else version end where id = $1`,
    [id, editable, hash, edited],
  )
}
