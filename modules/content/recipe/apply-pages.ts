import type { Unit } from 'larder/kernel'
import { lockPage, managedPages, type PageRow } from '../services/page-repository.ts'
import { differing, diffPages, isEdited, type OwnPage, type PageChange, type PageDiff } from './diff.ts'
import type { DeclaredPage } from './declared.ts'
import type { ReconcileDeps } from './apply.ts'

/** @param held for who is going to change what it finds. */
export async function readPageDiff(unit: Unit, planned: readonly DeclaredPage[], held: boolean): Promise<PageDiff> {
  const managed = await managedPages(unit, held)
  const others = differing(planned, managed)
  if (others.length === 0) return diffPages(planned, managed, [])
  const { rows } = await unit.query<OwnPage>(
    'select id, slug, path, locale from content_pages where managed_by is null and (slug = any ($1) or path = any ($2))',
    [others.map(({ slug }) => slug), others.map(({ path }) => path)],
  )
  return diffPages(planned, managed, rows)
}

export async function reconcilePages(deps: ReconcileDeps, unit: Unit, planned: readonly DeclaredPage[]): Promise<void> {
  const { content, operator, log } = deps
  const { changes, gone, taken } = await readPageDiff(unit, planned, true)
  for (const { plan, by } of taken)
    log.warn({ page: plan.slug, path: plan.path, taken: by.id }, 'a page of the recipe finds its path taken')
  for (const page of gone)
    if (page.edited) await release(unit, page)
    else await content.pages.erase(unit, operator.tenantId, page)
  const held = []
  for (const change of changes) held.push({ ...change, page: await holdPage(unit, change) })
  for (const { plan, page } of held) if (page) await release(unit, page, plan.path !== page.path)
  for (const { plan, page } of held) await bring(deps, unit, plan, page)
}

const holdPage = async (unit: Unit, { page, adopt }: PageChange): Promise<PageRow | undefined> =>
  page ?? (adopt && (await lockPage(unit, adopt.id)))

/** Open to the services again; out of the way where two pages of the recipe change places. */
async function release(unit: Unit, { id }: PageRow, moves = false): Promise<void> {
  await unit.query(
    `update content_pages set managed_by = null, editable = true, recipe_hash = null,
       path = case when $2 then '~' || id else path end where id = $1`,
    [id, moves],
  )
}

async function bring(
  { content, operator }: ReconcileDeps,
  unit: Unit,
  plan: DeclaredPage,
  page: PageRow | undefined,
): Promise<void> {
  const { tenantId } = operator
  const { slug, locale, path, text, published, editable, hash } = plan
  const { pages, publishing } = content
  const id = page?.id ?? (await pages.create(tenantId, { slug, locale, path, ...text }, null))
  // What somebody edited stays as it is, but for its address.
  const edited = page !== undefined && page.managedBy !== null && isEdited(page)
  if (page) await pages.apply(unit, tenantId, page, { path, publishAt: null, ...(!edited && text) }, null)
  if (!edited && published) await publishing.show(unit, tenantId, await lockPage(unit, id))
  if (!edited && !published) await publishing.unpublish(tenantId, id, {})
  await unit.query(
    `update content_pages set managed_by = 'recipe', editable = $2, recipe_hash = $3,
       recipe_version = case when $4 then recipe_version else version end where id = $1`,
    [id, editable, hash, edited],
  )
}
