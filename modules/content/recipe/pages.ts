import type { Unit } from '../../../kernel/contract.ts'
import { lockPage, managedPages, type PageRow } from '../services/page-rows.ts'
import type { PlannedPage } from './plan.ts'
import type { ReconcileDeps } from './reconcile.ts'

interface Own {
  readonly id: string
  readonly slug: string
  readonly path: string
  readonly locale: string
}
interface Change {
  readonly plan: PlannedPage
  /** Absent for a page that is new. */
  readonly page: PageRow | undefined
}

const nameOf = ({ slug, locale }: { slug: string; locale: string }) => `${locale} ${slug}`
/** Only what may be edited is; an edit writes a version that is not the recipe's. */
const isEdited = ({ editable, version, recipeVersion }: PageRow) => editable && version !== recipeVersion

export async function reconcilePages(deps: ReconcileDeps, unit: Unit, planned: readonly PlannedPage[]): Promise<void> {
  const { pages } = deps.content
  const { tenantId } = deps.operator
  const existing = await managedPages(unit)
  const wanted = new Set(planned.map(nameOf))
  for (const page of existing.filter(page => !wanted.has(nameOf(page))))
    if (isEdited(page)) await release(unit, page)
    else await pages.erase(unit, tenantId, page)
  const changes = await changesOf(deps, unit, planned, existing)
  for (const { plan, page } of changes) if (page) await release(unit, page, plan.path !== page.path)
  for (const change of changes) await bring(deps, unit, change)
}

/** What differs from the recipe; without pages whose path belongs to a page of the tenant's own. */
async function changesOf(
  { log }: ReconcileDeps,
  unit: Unit,
  planned: readonly PlannedPage[],
  existing: readonly PageRow[],
): Promise<Change[]> {
  const managed = new Map(existing.map(page => [nameOf(page), page]))
  const differing = planned.filter(plan => managed.get(nameOf(plan))?.recipeHash !== plan.hash)
  if (differing.length === 0) return []
  const { rows } = await unit.query<Own>(
    'select id, slug, path, locale from content_pages where managed_by is null and (slug = any ($1) or path = any ($2))',
    [differing.map(({ slug }) => slug), differing.map(({ path }) => path)],
  )
  const changes: Change[] = []
  for (const plan of differing) {
    const same = rows.find(row => nameOf(row) === nameOf(plan))
    const other = rows.find(row => row !== same && row.locale === plan.locale && row.path === plan.path)
    if (other)
      log.warn({ page: plan.slug, path: plan.path, taken: other.id }, 'a page of the recipe finds its path taken')
    // A page of the tenant's own that the recipe names becomes the recipe's, with its versions.
    else changes.push({ plan, page: managed.get(nameOf(plan)) ?? (same && (await lockPage(unit, same.id))) })
  }
  return changes
}

/** Open to the services again; out of the way where two pages of the recipe change places. */
async function release(unit: Unit, { id }: PageRow, moves = false): Promise<void> {
  await unit.query(
    `update content_pages set managed_by = null, editable = true, recipe_hash = null,
       path = case when $2 then '~' || id else path end where id = $1`,
    [id, moves],
  )
}

async function bring({ content, operator }: ReconcileDeps, unit: Unit, { plan, page }: Change): Promise<void> {
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
