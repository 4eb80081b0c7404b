/** SQL of pages. The row has the address and the state; versions have the text. */
import {
  common,
  type Deps,
  decodeCursor,
  type PageOf,
  pageLimit,
  pickTranslation,
  toPage,
  type Unit,
} from 'larder/kernel'
import { problems } from '../problems.ts'
import type { PAGE_STATUSES, Page, PageSummary } from '../routes/page-schemas.ts'

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
}

/** Editors see the newest version; everyone else sees the published one. */
export type PageView = 'drafts' | 'published'

export interface PageQuery {
  readonly limit?: number
  readonly cursor?: string | undefined
  readonly oldestFirst?: boolean
  readonly status?: (typeof PAGE_STATUSES)[number] | undefined
  readonly locale?: string | undefined
  readonly slug?: string | undefined
  readonly path?: string | undefined
}

const ROW = `id, slug, path, locale, version, published_version as "publishedVersion", published_at as "publishedAt",
  publish_at as "publishAt", revision, managed_by as "managedBy", editable, recipe_hash as "recipeHash",
  recipe_version as "recipeVersion"`
const STATUS = `case when p.published_version is not null then 'published'
  when p.publish_at is not null then 'scheduled' else 'draft' end`
const SUMMARY = `p.id, p.slug, p.path, p.locale, p.published_version as "publishedVersion",
  p.published_at as "publishedAt", p.publish_at as "publishAt", p.managed_by as "managedBy",
  p.created_at as "createdAt", p.updated_at as "updatedAt", p.revision, ${STATUS} as status,
  v.number as version, v.title, v.template, v.seo`
const VERSION_OF: Readonly<Record<PageView, string>> = { drafts: 'p.version', published: 'p.published_version' }
const from = (view: PageView) =>
  `from content_pages p join content_versions v on v.page_id = p.id and v.number = ${VERSION_OF[view]}`

export type WithRevision<T> = T & { readonly revision: number }

/** Locks the row until the unit ends. Throws `not_found`. */
export async function lockPage(unit: Unit, id: string): Promise<PageRow> {
  const { rows } = await unit.query<PageRow>(`select ${ROW} from content_pages where id = $1 for update`, [id])
  if (!rows[0]) throw common.not_found({ what: 'page' })
  return rows[0]
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

/** Serializes changes to the addresses of a tenant, so that a free address stays free until the unit ends. */
export async function lockAddresses(unit: Unit, tenantId: string): Promise<void> {
  await unit.query(`select pg_advisory_xact_lock(hashtext('content.addresses'), hashtext($1))`, [tenantId])
}

/** Throws `page_slug_taken` or `page_path_taken`. */
export async function assertAddressFree(
  unit: Unit,
  page: Pick<PageRow, 'id' | 'slug' | 'path' | 'locale'>,
): Promise<void> {
  const { id, slug, path, locale } = page
  const { rows } = await unit.query<{ slug: string }>(
    'select slug from content_pages where locale = $1 and id <> $2 and (slug = $3 or path = $4)',
    [locale, id, slug, path],
  )
  if (rows.length === 0) return
  throw rows.some(row => row.slug === slug) ? problems.page_slug_taken() : problems.page_path_taken()
}

/** SQL such as `and a = $1 and b = $2`, for the pairs that have a value. */
function conditions(pairs: readonly (readonly [text: string, value: unknown])[]): { text: string; values: unknown[] } {
  const present = pairs.filter(([, value]) => value !== undefined && value !== null)
  return {
    text: present.map(([text], index) => `and ${text} $${index + 1}`).join(' '),
    values: present.map(([, value]) => value),
  }
}

export interface PageListing {
  /** Newest first by default. */
  list(tenantId: string, view: PageView, query: PageQuery): Promise<PageOf<PageSummary>>
  /** With `locale`, the translation in it or the closest one. Throws `not_found`. */
  get(tenantId: string, id: string, view: PageView, locale?: string): Promise<WithRevision<Page>>
}

export function createPageListing({ database, product }: Deps<'database' | 'product'>): PageListing {
  async function list(tenantId: string, view: PageView, query: PageQuery): Promise<PageOf<PageSummary>> {
    const [last = null] = decodeCursor(query.cursor, 1) ?? []
    const [comparison, order] = query.oldestFirst ? ['>', 'asc'] : ['<', 'desc']
    const limit = pageLimit(query)
    // Only the given filters are in the statement: a plan for all cases would scan every row before the cursor.
    const { text, values } = conditions([
      [`p.id ${comparison}`, last],
      [`${STATUS} =`, query.status],
      ['p.locale =', query.locale],
      ['p.slug =', query.slug],
      ['p.path =', query.path],
    ])
    const published = view === 'published' ? 'and p.published_version is not null' : ''
    // Selects the rows of the page before the join: a join of the whole tables may start far before the cursor.
    const page = `select * from content_pages p where true ${published} ${text} order by p.id ${order} limit ${limit + 1}`
    const { rows } = await database.tenant(tenantId).query<PageSummary>(
      `select ${SUMMARY} from (${page}) p join content_versions v on v.page_id = p.id and v.number = ${VERSION_OF[view]}
       order by p.id ${order}`,
      values,
    )
    return toPage(rows, limit, row => [row.id])
  }

  async function get(tenantId: string, id: string, view: PageView, locale?: string): Promise<WithRevision<Page>> {
    const { rows } = await database.tenant(tenantId).query<WithRevision<Page>>(
      `select ${SUMMARY}, v.body, v.html ${from(view)}
       where p.id = $1 or ($2 and p.slug = (select slug from content_pages where id = $1))`,
      [id, locale !== undefined],
    )
    const found = locale === undefined ? rows[0] : pickTranslation(rows, locale, product.locales.default)
    if (!found) throw common.not_found({ what: 'page' })
    return found
  }

  return { list, get }
}
