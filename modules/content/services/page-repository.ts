/** SQL of pages. The row has the address and the state; versions have the text. */
import { common, isUniqueViolation, type Step, type Unit } from 'larder/kernel'
import { problems } from '../problems.ts'
import type { Seo } from '../records/page.ts'
import { rowsOf } from './batch-rows.ts'
import type { RenderedBody } from './markdown-renderer.ts'

export interface PageRow {
  readonly id: string
  readonly slug: string
  readonly path: string
  readonly locale: string
  /** The newest version. */
  readonly version: number
  readonly publishedVersion: number | null
  readonly publishedAt: Date | null
  readonly publishAt: Date | null
  readonly revision: number
  readonly managedBy: string | null
  readonly editable: boolean
  readonly recipeHash: string | null
  readonly recipeVersion: number | null
  readonly createdAt: Date
  readonly updatedAt: Date
}

export interface PageText {
  readonly title: string
  readonly body: string
  readonly template: string
  readonly seo: Seo
}
export type RenderedText = PageText & RenderedBody

/** A page with the text of its newest version. */
export interface PageWithText {
  readonly page: PageRow
  readonly text: RenderedText
}

const ROW = `id, slug, path, locale, version, published_version as "publishedVersion", published_at as "publishedAt",
  publish_at as "publishAt", revision, managed_by as "managedBy", editable, recipe_hash as "recipeHash",
  recipe_version as "recipeVersion", created_at as "createdAt", updated_at as "updatedAt"`
/** Columns of a text. */
export const TEXT = 'title, body, html, template, seo'
const NEWEST_TEXT = `select ${TEXT} from content_versions where page_id = $1
  and number = (select version from content_pages where id = $1)`
const LOCK = `select ${ROW} from content_pages where id = $1 for update`

/** Locks the row until the unit ends. Throws `not_found`. */
export async function lockPage(unit: Unit, id: string): Promise<PageRow> {
  const { rows } = await unit.query<PageRow>(LOCK, [id])
  if (!rows[0]) throw common.not_found({ what: 'page' })
  return rows[0]
}

/** Locks the row if its scheduled time has come. */
export async function lockDuePage(unit: Unit, id: string, now: Date): Promise<PageRow | undefined> {
  const sql = `select ${ROW} from content_pages where id = $1 and publish_at <= $2 for update`
  const { rows } = await unit.query<PageRow>(sql, [id, now])
  return rows[0]
}

/**
 * Locks the row like `lockPage` and reads its newest text in the same round trip. Two statements: a join would miss the
 * version that a concurrent change adds while this one waits for the lock.
 */
export async function lockPageWithText(unit: Unit, id: string): Promise<PageWithText> {
  const [pages, texts] = await unit.batch([
    [LOCK, [id]],
    [NEWEST_TEXT, [id]],
  ])
  const [[page], [text]] = [rowsOf<PageRow>(pages), rowsOf<RenderedText>(texts)]
  if (!page || !text) throw common.not_found({ what: 'page' })
  return { page, text }
}

export const insertPageStep = (tenantId: string, page: PageRow): Step => [
  `insert into content_pages (tenant_id, id, slug, path, locale, version, publish_at, created_at, updated_at)
   values ($1, $2, $3, $4, $5, $6, $7, $8, $9)`,
  [tenantId, page.id, page.slug, page.path, page.locale, page.version, page.publishAt, page.createdAt, page.updatedAt],
]

/** Writes the address, the state and the revision. */
export const updatePageStep = (page: PageRow): Step => [
  `update content_pages set slug = $2, path = $3, version = $4, published_version = $5, published_at = $6,
     publish_at = $7, revision = $8, updated_at = $9 where id = $1`,
  [
    page.id,
    page.slug,
    page.path,
    page.version,
    page.publishedVersion,
    page.publishedAt,
    page.publishAt,
    page.revision,
    page.updatedAt,
  ],
]

/**
 * Locks the old and the new address of a page that moves, in one order. Without it, two pages that take each other's
 * address deadlock on the unique indexes.
 */
export function lockAddressesStep(tenantId: string, before: PageRow, after: PageRow): Step {
  const addresses = [before, after].flatMap(({ locale, slug, path }) => [
    `${tenantId} ${locale} slug ${slug}`,
    `${tenantId} ${locale} path ${path}`,
  ])
  return [
    `select pg_advisory_xact_lock(key) from (
       select distinct hashtextextended(address, 0) as key from unnest($1::text[]) address order by 1) keys`,
    [addresses],
  ]
}

/** Maps a violation of the unique constraints of slug and path to `page_slug_taken` and `page_path_taken`. */
export function rethrowAddressTaken(error: unknown): never {
  if (isUniqueViolation(error, 'content_pages_tenant_id_slug_locale_key')) throw problems.page_slug_taken()
  if (isUniqueViolation(error, 'content_pages_tenant_id_path_locale_key')) throw problems.page_path_taken()
  throw error
}

/** Throws `managed_by_recipe` if only the recipe may change the page. */
export function assertEditable({ managedBy, editable }: Pick<PageRow, 'managedBy' | 'editable'>): void {
  if (managedBy !== null && !editable) throw common.managed_by_recipe()
}

/** @param lock locks the rows until the unit ends. */
export async function managedPages(unit: Unit, lock: boolean): Promise<PageRow[]> {
  const { rows } = await unit.query<PageRow>(
    `select ${ROW} from content_pages where managed_by is not null ${lock ? 'for update' : ''}`,
  )
  return rows
}

/** Pages of the tenant that have one of these slugs or paths. @param lock locks the rows until the unit ends. */
export async function pagesWithAddress(
  unit: Unit,
  addresses: readonly { readonly slug: string; readonly path: string }[],
  lock: boolean,
): Promise<PageRow[]> {
  const { rows } = await unit.query<PageRow>(
    `select ${ROW} from content_pages where managed_by is null and (slug = any ($1) or path = any ($2))
     ${lock ? 'for update' : ''}`,
    [addresses.map(({ slug }) => slug), addresses.map(({ path }) => path)],
  )
  return rows
}
