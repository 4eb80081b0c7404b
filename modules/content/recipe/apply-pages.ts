import type { Deps, Unit } from '@larder-dev/larder/kernel'
import type { PageRow } from '../records/page.ts'
import type { MarkdownRenderer } from '../services/markdown-renderer.ts'
import { lockPage, managedPages, pagesWithAddress } from '../services/page-repository.ts'
import type { PageService } from '../services/page-service.ts'
import type { PublishingService } from '../services/publishing-service.ts'
import type { VersionService } from '../services/version-service.ts'
import type { DeclaredPage } from './declarations.ts'
import { changedPages, diffPages, type PageDiff, type PageWrite } from './diff.ts'

export type PageWriteDeps = Deps<'operator'> & {
  readonly markdown: MarkdownRenderer
  readonly pages: PageService
  readonly publishing: PublishingService
  readonly versions: VersionService
}

/** @param lock locks the rows until the unit ends. */
export async function readPageDiff(
  unit: Unit,
  declared: readonly DeclaredPage[],
  { lock }: { readonly lock: boolean },
): Promise<PageDiff> {
  const managed = await managedPages(unit, lock)
  const changed = changedPages(declared, managed)
  const own = changed.length === 0 ? [] : await pagesWithAddress(unit, changed, lock)
  return diffPages(declared, managed, own)
}

export async function applyPages(
  deps: PageWriteDeps & Deps<'log'>,
  unit: Unit,
  declared: readonly DeclaredPage[],
): Promise<void> {
  const { pages, operator, log } = deps
  const { writes, gone, taken } = await readPageDiff(unit, declared, { lock: true })
  for (const { declared, by } of taken)
    log.warn({ page: declared.slug, path: declared.path, taken: by.id }, 'path of a recipe page is taken')
  for (const { row, release } of gone)
    if (release) await releasePage(unit, row)
    else await pages.delete(unit, operator.tenantId, row)
  for (const { row, declared } of writes) if (row) await releasePage(unit, row, declared.path !== row.path)
  for (const write of writes) await writePage(deps, unit, write)
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
