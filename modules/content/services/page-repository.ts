/** Pages in the database: the row is the address and the state, its versions are what it says. */
import { common, type Deps, decodeCursor, type PageOf, pageLimit, toPage, type Unit } from 'larder/kernel'
import { pickTranslation } from '../domain/locales.ts'
import { problems } from '../problems.ts'
import type { PAGE_STATUSES, Page, PageSummary } from '../routes/page-schemas.ts'

export interface PageRow {
  readonly id: string
  readonly slug: string
  readonly path: string
  readonly locale: string
  /** The newest one. */
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

/** Editors see drafts; everybody else what is published, as it is published. */
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
const SHOWN: Readonly<Record<PageView, string>> = { drafts: 'p.version', published: 'p.published_version' }
const from = (view: PageView) =>
  `from content_pages p join content_versions v on v.page_id = p.id and v.number = ${SHOWN[view]}`

export type WithRevision<T> = T & { readonly revision: number }

/** The row, held until the unit ends. Throws `not_found`. */
export async function lockPage(unit: Unit, id: string): Promise<PageRow> {
  const { rows } = await unit.query<PageRow>(`select ${ROW} from content_pages where id = $1 for update`, [id])
  if (!rows[0]) throw common.not_found({ what: 'page' })
  return rows[0]
}

/** Throws `managed_by_recipe` where nobody but the recipe may change it. */
export function assertEditable({ managedBy, editable }: Pick<PageRow, 'managedBy' | 'editable'>): void {
  if (managedBy !== null && !editable) throw common.managed_by_recipe()
}

/** @param held until the unit ends: for who is going to change them. */
export async function managedPages(unit: Unit, held: boolean): Promise<PageRow[]> {
  const { rows } = await unit.query<PageRow>(
    `select ${ROW} from content_pages where managed_by is not null ${held ? 'for update' : ''}`,
  )
  return rows
}

/** One at a time changes addresses of a tenant: so what is free stays free until the unit ends. */
export async function lockAddresses(unit: Unit, tenantId: string): Promise<void> {
  await unit.query(`select pg_advisory_xact_lock(hashtext('content.addresses'), hashtext($1))`, [tenantId])
}

/** Throws `page_slug_taken` or `page_path_taken`. */
export async function assertAddressFree(unit: Unit, page: Pick<PageRow, 'id' | 'slug' | 'path' | 'locale'>): Promise<void> {
  const { id, slug, path, locale } = page
  const { rows } = await unit.query<{ slug: string }>(
    'select slug from content_pages where locale = $1 and id <> $2 and (slug = $3 or path = $4)',
    [locale, id, slug, path],
  )
  if (rows.length === 0) return
  throw rows.some(row => row.slug === slug) ? problems.page_slug_taken() : problems.page_path_taken()
}

/** `and a = $1 and b = $2` of those that have a value. */
function conditions(pairs: readonly (readonly [text: string, value: unknown])[]): { text: string; values: unknown[] } {
  const given = pairs.filter(([, value]) => value !== undefined && value !== null)
  return {
    text: given.map(([text], index) => `and ${text} $${index + 1}`).join(' '),
    values: given.map(([, value]) => value),
  }
}

export function createPageRows({ database, product }: Deps<'database' | 'product'>) {
  async function list(tenantId: string, view: PageView, query: PageQuery): Promise<PageOf<PageSummary>> {
    const [last = null] = decodeCursor(query.cursor, 1) ?? []
    const [beyond, order] = query.oldestFirst ? ['>', 'asc'] : ['<', 'desc']
    const limit = pageLimit(query)
    // Only what is asked for stands in the text: a plan for every case would walk past all that comes before a cursor.
    const { text, values } = conditions([
      [`p.id ${beyond}`, last],
      [`${STATUS} =`, query.status],
      ['p.locale =', query.locale],
      ['p.slug =', query.slug],
      ['p.path =', query.path],
    ])
    const shown = view === 'published' ? 'and p.published_version is not null' : ''
    // The page first, then what its records say: a join of the whole tables may begin far before the cursor.
    const page = `select * from content_pages p where true ${shown} ${text} order by p.id ${order} limit ${limit + 1}`
    const { rows } = await database.tenant(tenantId).query<PageSummary>(
      `select ${SUMMARY} from (${page}) p join content_versions v on v.page_id = p.id and v.number = ${SHOWN[view]}
       order by p.id ${order}`,
      values,
    )
    return toPage(rows, limit, row => [row.id])
  }

  /** With `locale` the translation in it, or the nearest there is. Throws `not_found`. */
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
export type PageRows = ReturnType<typeof createPageRows>
