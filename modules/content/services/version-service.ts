/** Versions of a page: their text, with the HTML rendered from it. */
import {
  common,
  type Deps,
  decodeCursor,
  type PageOf,
  pageLimit,
  type Step,
  toPage,
  type Unit,
} from '@larder-dev/larder/kernel'
import type { ContentOptions } from '../options.ts'
import { type PageRow, type RenderedText, textTable, type Version, type VersionSummary } from '../records/page.ts'
import { rowsOf } from './batch-rows.ts'

const REFERENCE = /\/media\/(med_[0-7][0-9a-hjkmnp-tv-z]{25})\//g

/** Ids of the media files that the rendered text uses. */
const mediaIdsIn = (html: string): string[] => [
  ...new Set(Array.from(html.matchAll(REFERENCE), ([, id]) => id as string)),
]

/** User id of the author; null for the recipe and the server. */
export type Author = string | null

const SUMMARY = `v.number as version, v.title, v.template, v.seo, v.created_by as "createdBy",
  v.created_at as "createdAt", v.number = p.published_version is true as published`
const FROM = 'from content_versions v join content_pages p on p.id = v.page_id'

export interface NewVersion {
  readonly tenantId: string
  /** With the number of the new version. */
  readonly page: Pick<PageRow, 'id' | 'version' | 'publishedVersion' | 'updatedAt'>
  readonly text: RenderedText
  readonly author: Author
}
export interface VersionService {
  /** Throws `not_found`. */
  textOf(unit: Unit, pageId: string, number: number): Promise<RenderedText>
  /** Writes a version and deletes those over the configured number, except the published one. */
  appendSteps(version: NewVersion): Step[]
  /** Newest first. Throws `not_found` for an unknown page. */
  list(
    tenantId: string,
    pageId: string,
    query: { limit?: number; cursor?: string | undefined },
  ): Promise<PageOf<VersionSummary>>
  /** Throws `not_found`. */
  get(tenantId: string, pageId: string, number: number): Promise<Version>
  /** Whether a person has written a page. */
  hasAuthor(tenantId: string): Promise<boolean>
}

const insertMediaStep = (tenantId: string, pageId: string, number: number, mediaIds: readonly string[]): Step => [
  `insert into content_media (tenant_id, page_id, number, media_id) select $1, $2, $3, unnest($4::text[])`,
  [tenantId, pageId, number, mediaIds],
]

export function createVersionService({ database }: Deps<'database'>, options: ContentOptions): VersionService {
  const textOf: VersionService['textOf'] = (unit, pageId, number) => textTable.get(unit, { pageId, number })

  function appendSteps({ tenantId, page, text, author }: NewVersion): Step[] {
    const { id, version: number, publishedVersion, updatedAt } = page
    const values = { ...text, tenantId, pageId: id, number, createdBy: author, createdAt: updatedAt }
    const insert = textTable.insertStep(values)
    const mediaIds = mediaIdsIn(text.html)
    const added = mediaIds.length === 0 ? [insert] : [insert, insertMediaStep(tenantId, id, number, mediaIds)]
    if (number <= options.versions) return added
    return [
      ...added,
      [
        'delete from content_versions where page_id = $1 and number <= $2 and number is distinct from $3',
        [id, number - options.versions, publishedVersion],
      ],
    ]
  }

  async function list(
    tenantId: string,
    pageId: string,
    query: { limit?: number; cursor?: string | undefined },
  ): Promise<PageOf<VersionSummary>> {
    const [before = Number.MAX_SAFE_INTEGER] = decodeCursor(query.cursor, 1) ?? []
    if (!Number.isSafeInteger(before)) throw common.invalid_cursor()
    const limit = pageLimit(query)
    const { pages, versions } = await database.tenant(tenantId).all({
      pages: ['select 1 from content_pages where id = $1', [pageId]],
      versions: [
        `select ${SUMMARY} ${FROM} where v.page_id = $1 and v.number < $2::bigint
         order by v.number desc limit $3`,
        [pageId, before, limit + 1],
      ],
    })
    if (pages.rowCount === 0) throw common.not_found({ what: 'page' })
    return toPage(rowsOf<VersionSummary>(versions), limit, row => [row.version])
  }

  async function get(tenantId: string, pageId: string, number: number): Promise<Version> {
    const { rows } = await database
      .tenant(tenantId)
      .query<Version>(`select ${SUMMARY}, v.body, v.html ${FROM} where v.page_id = $1 and v.number = $2`, [
        pageId,
        number,
      ])
    if (!rows[0]) throw common.not_found({ what: 'version' })
    return rows[0]
  }

  async function hasAuthor(tenantId: string): Promise<boolean> {
    const { rows } = await database
      .tenant(tenantId)
      .query<{ found: boolean }>('select exists (select from content_versions where created_by is not null) as found')
    return rows[0]?.found === true
  }

  return { textOf, appendSteps, list, get, hasAuthor }
}
