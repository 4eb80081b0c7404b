/** SQL of pages. The row has the address and the state; versions have the text. */
import { assertEditable, common, isUniqueViolation, locksStep, type Step, type Unit } from '@larder-dev/larder/kernel'
import { problems } from '../problems.ts'
import { type PageRow, pageTable, type RenderedText, textTable } from '../records/page.ts'

/** A page with the text of its newest version. */
export interface PageWithText {
  readonly page: PageRow
  readonly text: RenderedText
}

const NEWEST_TEXT = `select ${textTable.columns()} from content_versions where page_id = $1
  and number = (select version from content_pages where id = $1)`
const LOCK = `select ${pageTable.columns()} from content_pages where id = $1 for update`

/** Locks the row until the unit ends. Throws `not_found`. */
export const lockPage = (unit: Unit, id: string): Promise<PageRow> => pageTable.get(unit, { id }, { lock: true })

/** Locks the row if its scheduled time has come. */
export async function lockDuePage(unit: Unit, id: string, now: Date): Promise<PageRow | undefined> {
  const sql = `select ${pageTable.columns()} from content_pages where id = $1 and publish_at <= $2 for update`
  return (await pageTable.query(unit, sql, [id, now]))[0]
}

/**
 * Locks the row like `lockPage` and reads its newest text in the same round trip. Two statements: a join would miss the
 * version that a concurrent change adds while this one waits for the lock.
 */
export async function lockPageWithText(unit: Unit, id: string): Promise<PageWithText> {
  const { pages, texts } = await unit.all({ pages: [LOCK, [id]], texts: [NEWEST_TEXT, [id]] })
  const [page] = pageTable.records(pages.rows)
  const [text] = textTable.records(texts.rows)
  if (!page || !text) throw common.not_found({ what: 'page' })
  return { page, text }
}

/** Writes a page that is locked, and counts the revision. The recipe writes what it manages itself. */
export const updatePageStep = (page: PageRow): Step => {
  const { id, revision: _counted, managedBy: _managed, editable: _editable, ...rest } = page
  const { recipeHash: _hash, recipeVersion: _recipeVersion, ...changes } = rest
  return pageTable.updateStep({ id }, changes)
}

/**
 * Locks the old and the new address of a page that moves, in one order. Without it, two pages that take each other's
 * address deadlock on the unique indexes.
 */
export function lockAddressesStep(tenantId: string, before: PageRow, after: PageRow): Step {
  const addresses = [before, after].flatMap(({ locale, slug, path }) => [
    [tenantId, locale, 'slug', slug],
    [tenantId, locale, 'path', path],
  ])
  return locksStep('content.addresses', addresses)
}

/** Maps a violation of the unique constraints of slug and path to `page_slug_taken` and `page_path_taken`. */
export function rethrowAddressTaken(error: unknown): never {
  if (isUniqueViolation(error, 'content_pages_tenant_id_slug_locale_key')) throw problems.page_slug_taken()
  if (isUniqueViolation(error, 'content_pages_tenant_id_path_locale_key')) throw problems.page_path_taken()
  throw error
}

export const assertPageEditable = (page: Pick<PageRow, 'managedBy' | 'editable' | 'slug'>): void =>
  assertEditable(page, `pages.${page.slug}.editable`)

/** @param lock locks the rows until the unit ends. */
export const managedPages = (unit: Unit, lock: boolean): Promise<PageRow[]> =>
  pageTable.query(
    unit,
    `select ${pageTable.columns()} from content_pages where managed_by is not null ${lock ? 'for update' : ''}`,
  )

/** Pages of the tenant that have one of these slugs or paths. @param lock locks the rows until the unit ends. */
export function pagesWithAddress(
  unit: Unit,
  addresses: readonly { readonly slug: string; readonly path: string }[],
  lock: boolean,
): Promise<PageRow[]> {
  return pageTable.query(
    unit,
    `select ${pageTable.columns()} from content_pages where managed_by is null and (slug = any ($1) or path = any ($2))
     ${lock ? 'for update' : ''}`,
    [addresses.map(({ slug }) => slug), addresses.map(({ path }) => path)],
  )
}
