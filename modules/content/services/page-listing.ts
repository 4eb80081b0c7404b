/** Lists and reads pages, as editors or as everyone else sees them. */
import { common, type Deps, decodeCursor, type PageOf, pageLimit, toPage } from '@larder-dev/larder/kernel'
import { pickTranslation } from '@larder-dev/larder/kernel/internal'
import type { PAGE_STATUSES, Page, PageRow, PageSummary } from '../records/page.ts'
import type { PageWithText } from './page-repository.ts'

/**
 * Editors see the newest version; everyone else sees the published one. Those who publish or delete pages see with it
 * when the draft was changed, and when it will be published.
 */
export type PageView = 'drafts' | 'publishing' | 'published'

export interface PageQuery {
  readonly limit?: number
  readonly cursor?: string | undefined
  readonly oldestFirst?: boolean
  readonly status?: (typeof PAGE_STATUSES)[number] | undefined
  readonly locale?: string | undefined
  readonly slug?: string | undefined
  readonly path?: string | undefined
  /** Id of a file in the text of the page. */
  readonly mediaId?: string | undefined
}

const STATUS = `case when p.published_version is not null then 'published'
  when p.publish_at is not null then 'scheduled' else 'draft' end`
const ALL_TIMES = 'p.publish_at as "publishAt", p.updated_at as "updatedAt"'
const TIMES: Readonly<Record<PageView, string>> = {
  drafts: ALL_TIMES,
  publishing: ALL_TIMES,
  published: 'null as "publishAt", p.published_at as "updatedAt"',
}
const summary = (view: PageView) => `p.id, p.slug, p.path, p.locale, p.published_version as "publishedVersion",
  p.published_at as "publishedAt", ${TIMES[view]}, p.managed_by as "managedBy", p.editable,
  p.created_at as "createdAt", p.revision, ${STATUS} as status, v.number as version, v.title, v.template, v.seo`
const VERSION_OF: Readonly<Record<PageView, string>> = {
  drafts: 'p.version',
  publishing: 'p.published_version',
  published: 'p.published_version',
}
const from = (view: PageView) =>
  `from content_pages p join content_versions v on v.page_id = p.id and v.number = ${VERSION_OF[view]}`

const pageSql = (view: PageView) => `select ${summary(view)}, v.body, v.html ${from(view)}`
/** The page with the id `$1` and those with its slug, in other languages. */
const IS_TRANSLATION = 'p.slug = (select slug from content_pages where id = $1)'

export type WithRevision<T> = T & { readonly revision: number }

/** The view of editors. */
export const draftOf = ({ page, text }: PageWithText): WithRevision<Page> => ({
  ...page,
  ...text,
  status: statusOf(page),
})

const statusOf = ({ publishedVersion, publishAt }: PageRow): Page['status'] => {
  if (publishedVersion !== null) return 'published'
  return publishAt === null ? 'draft' : 'scheduled'
}

/** Versions that the view shows. Editors also see what is published. */
const SHOWN_VERSIONS: Readonly<Record<PageView, string>> = {
  drafts: 'p.version, p.published_version',
  publishing: 'p.published_version',
  published: 'p.published_version',
}
const usesMedia = (view: PageView) =>
  `exists (select 1 from content_media m where m.page_id = p.id and m.number in (${SHOWN_VERSIONS[view]}) and m.media_id = ?)`

/** SQL such as `and a = $1 and b = $2`, for the pairs that have a value. A `?` in the text becomes its parameter. */
function conditions(pairs: readonly (readonly [text: string, value: unknown])[]): { text: string; values: unknown[] } {
  const present = pairs.filter(([, value]) => value !== undefined && value !== null)
  return {
    text: present.map(([text], index) => `and ${text.replace('?', `$${index + 1}`)}`).join(' '),
    values: present.map(([, value]) => value),
  }
}

export interface PageListing {
  /** Newest first by default. */
  list(tenantId: string, view: PageView, query: PageQuery): Promise<PageOf<PageSummary>>
  /** With `locale`, the translation in it or the closest one. Throws `not_found`. */
  get(tenantId: string, id: string, view: PageView, locale?: string): Promise<WithRevision<Page>>
  /** Names of those of the pages that the view shows. */
  titles(tenantId: string, ids: readonly string[], view: PageView): Promise<{ id: string; name: string }[]>
}

export function createPageListing({ database, product }: Deps<'database' | 'product'>): PageListing {
  async function list(tenantId: string, view: PageView, query: PageQuery): Promise<PageOf<PageSummary>> {
    const [last = null] = decodeCursor(query.cursor, 1) ?? []
    const [comparison, order] = query.oldestFirst ? ['>', 'asc'] : ['<', 'desc']
    const limit = pageLimit(query)
    // Only the given filters are in the statement: a plan for all cases would scan every row before the cursor.
    const { text, values } = conditions([
      [`p.id ${comparison} ?`, last],
      [`${STATUS} = ?`, query.status],
      ['p.locale = ?', query.locale],
      ['p.slug = ?', query.slug],
      ['p.path = ?', query.path],
      [usesMedia(view), query.mediaId],
    ])
    const published = view !== 'drafts' ? 'and p.published_version is not null' : ''
    // Selects the rows of the page before the join: a join of the whole tables may start far before the cursor.
    const page = `select * from content_pages p where true ${published} ${text} order by p.id ${order} limit ${limit + 1}`
    const { rows } = await database.tenant(tenantId).query<PageSummary>(
      `select ${summary(view)} from (${page}) p join content_versions v on v.page_id = p.id and v.number = ${VERSION_OF[view]}
       order by p.id ${order}`,
      values,
    )
    return toPage(rows, limit, row => [row.id])
  }

  async function get(tenantId: string, id: string, view: PageView, locale?: string): Promise<WithRevision<Page>> {
    const translated = locale !== undefined
    const text = translated ? `${pageSql(view)} where ${IS_TRANSLATION}` : `${pageSql(view)} where p.id = $1`
    const { rows } = await database.tenant(tenantId).query<WithRevision<Page>>(text, [id])
    const found = translated ? pickTranslation(rows, locale, product.locales.default) : rows[0]
    if (!found) throw common.not_found({ what: 'page' })
    return found
  }

  async function titles(tenantId: string, ids: readonly string[], view: PageView) {
    const text = `select p.id, v.title as name ${from(view)} where p.id = any ($1)`
    const { rows } = await database.tenant(tenantId).query<{ id: string; name: string }>(text, [ids])
    return rows
  }

  return { list, get, titles }
}
