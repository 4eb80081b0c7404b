/** Pages: written, changed, renamed, deleted. */

import type { IncomingHttpHeaders } from 'node:http'
import { isDeepStrictEqual } from 'node:util'
import { common, type Deps, etag, newId, requireMatch, type Unit } from 'larder/kernel'
import { followSlug, pagePath } from '../domain/paths.ts'
import { parsePublishTime } from '../domain/publish-time.ts'
import { type ContentOptions, templatesOf } from '../options.ts'
import { invalidField } from '../problems.ts'
import type { NewPage, PagePatch } from '../routes/page-schemas.ts'
import { type Changed, pagePayload } from './change-events.ts'
import type { Hidden } from './reserved-paths.ts'
import { lockAddresses, lockPage, assertEditable, assertAddressFree, type PageRow } from './page-repository.ts'
import type { Publishing } from './publishing-service.ts'
import type { Redirecting } from './redirect-service.ts'
import type { PageText, Versions } from './version-service.ts'

export interface PageParts {
  readonly versions: Versions
  readonly publishing: Publishing
  readonly redirects: Redirecting
  readonly hidden: Hidden
  readonly changed: Changed
}
/** Who writes: a user's id, or null for the recipe and the server. */
export type By = string | null

export function createPages(
  { database, clock, events, product }: Deps<'database' | 'clock' | 'events' | 'product'>,
  options: ContentOptions,
  { versions, publishing, redirects, hidden, changed }: PageParts,
) {
  const templates = templatesOf(options)
  const now = () => new Date(clock.now())
  const tell = (type: 'created' | 'updated' | 'deleted', tenantId: string, page: PageRow) =>
    events.publish(`content.page.${type}`, { payload: pagePayload(page), subject: page.id, tenantId })

  /** Throws 422 for what the schema cannot know. */
  function check({ locale, template }: { locale?: string | undefined; template?: string | undefined }): void {
    const { available } = product.locales
    if (locale !== undefined && !available.includes(locale))
      throw invalidField('/locale', 'not_allowed', `must be one of ${available.join(', ')}`)
    if (template !== undefined && !templates.includes(template))
      throw invalidField('/template', 'not_allowed', `must be one of ${templates.join(', ')}`)
  }

  /** Returns the id. */
  async function create(tenantId: string, page: NewPage, by: By): Promise<string> {
    check(page)
    const { slug, locale = product.locales.default, title, body = '', template = 'page', seo = {} } = page
    const path = asPath(page.path ?? `/${slug}`)
    hidden.mustBeSeen(tenantId, path)
    const publishAt = parsePublishTime(page.publishAt)
    const id = newId('pag', clock.now())
    await database.tenant(tenantId).transaction(async unit => {
      await lockAddresses(unit, tenantId)
      await assertAddressFree(unit, { id, slug, path, locale })
      await unit.query(
        `insert into content_pages (tenant_id, id, slug, path, locale, version, publish_at, created_at, updated_at)
         values ($1, $2, $3, $4, $5, 1, $6, $7, $7)`,
        [tenantId, id, slug, path, locale, publishAt, now()],
      )
      await versions.append(unit, { tenantId, pageId: id, number: 1, text: { title, body, template, seo }, by })
      if (publishAt) await publishing.schedule(tenantId, id, publishAt)
      await tell('created', tenantId, await lockPage(unit, id))
    })
    return id
  }

  /** Writes a version where the text changes; a new address counts at once. Nothing changes: nothing happens. */
  async function update(
    tenantId: string,
    id: string,
    patch: PagePatch,
    { headers, by }: { headers: IncomingHttpHeaders; by: By },
  ): Promise<void> {
    check(patch)
    await database.tenant(tenantId).transaction(async unit => {
      const page = await lockPage(unit, id)
      assertEditable(page)
      requireMatch(headers, etag(page.revision))
      await apply(unit, tenantId, page, patch, by)
    })
  }

  /** Within a unit that holds the row. */
  async function apply(unit: Unit, tenantId: string, page: PageRow, patch: PagePatch, by: By): Promise<void> {
    const before = await versions.textOf(unit, page.id, page.version)
    const { title = before.title, body = before.body, template = before.template, seo = before.seo } = patch
    const text = { title, body, template, seo }
    const slug = patch.slug ?? page.slug
    const path = patch.path === undefined ? followSlug(page.path, page.slug, slug) : asPath(patch.path)
    const publishAt = patch.publishAt === undefined ? page.publishAt : parsePublishTime(patch.publishAt)
    const rewritten = !isDeepStrictEqual(text, before)
    const after = { ...page, slug, path, publishAt, version: page.version + (rewritten ? 1 : 0) }
    if (isDeepStrictEqual(after, page)) return
    if (slug !== page.slug || path !== page.path) await move(unit, tenantId, page, after)
    if (rewritten) await write(unit, tenantId, after, text, by)
    await unit.query(
      `update content_pages set slug = $2, path = $3, version = $4, publish_at = $5, revision = revision + 1,
         updated_at = $6 where id = $1`,
      [page.id, slug, path, after.version, publishAt, now()],
    )
    if (publishAt?.getTime() !== page.publishAt?.getTime()) await publishing.schedule(tenantId, page.id, publishAt)
    await tell('updated', tenantId, after)
    changed(tenantId)
  }

  const write = (unit: Unit, tenantId: string, page: PageRow, text: PageText, by: By) =>
    versions.append(unit, { tenantId, pageId: page.id, number: page.version, text, by })

  /** Whoever knows the old address of what was ever shown is sent to the new one. */
  async function move(unit: Unit, tenantId: string, before: PageRow, after: PageRow): Promise<void> {
    if (before.path !== after.path) hidden.mustBeSeen(tenantId, after.path)
    await lockAddresses(unit, tenantId)
    await assertAddressFree(unit, after)
    if (before.publishedAt !== null && before.path !== after.path)
      await redirects.leave(unit, tenantId, before.path, after.path)
  }

  /** What an older version said becomes the newest one. */
  async function restore(
    tenantId: string,
    id: string,
    number: number,
    { headers, by }: { headers: IncomingHttpHeaders; by: By },
  ): Promise<void> {
    await database.tenant(tenantId).transaction(async unit => {
      const page = await lockPage(unit, id)
      assertEditable(page)
      requireMatch(headers, etag(page.revision))
      await apply(unit, tenantId, page, await versions.textOf(unit, id, number), by)
    })
  }

  async function remove(tenantId: string, id: string, headers: IncomingHttpHeaders): Promise<void> {
    await database.tenant(tenantId).transaction(async unit => {
      const page = await lockPage(unit, id)
      // It would come back at the next start.
      if (page.managedBy !== null) throw common.managed_by_recipe()
      requireMatch(headers, etag(page.revision))
      await erase(unit, tenantId, page)
    })
  }

  /** Within a unit that holds the row; what is scheduled goes too. */
  async function erase(unit: Unit, tenantId: string, page: PageRow): Promise<void> {
    await publishing.schedule(tenantId, page.id, null)
    await unit.query('delete from content_pages where id = $1', [page.id])
    await tell('deleted', tenantId, page)
    changed(tenantId)
  }

  return { create, update, apply, restore, remove, erase }
}
export type Pages = ReturnType<typeof createPages>

function asPath(text: string): string {
  const path = pagePath(text)
  if (path === undefined)
    throw invalidField('/path', 'wrong_format', 'must be a path of this site, and not below /v1 or /assets')
  return path
}
