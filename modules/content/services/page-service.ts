/** Creates, changes, moves and deletes pages. */

import type { IncomingHttpHeaders } from 'node:http'
import { isDeepStrictEqual } from 'node:util'
import { common, type Deps, etag, newId, requireMatch, type Unit } from 'larder/kernel'
import { followSlug, pagePath } from '../domain/paths.ts'
import { parsePublishTime } from '../domain/publish-time.ts'
import { type ContentOptions, templatesOf } from '../options.ts'
import { invalidField } from '../problems.ts'
import type { NewPage, PagePatch } from '../routes/page-schemas.ts'
import { pagePayload } from './change-events.ts'
import type { MarkdownRenderer, RenderedBody } from './markdown-renderer.ts'
import { assertAddressFree, assertEditable, lockAddresses, lockPage, type PageRow } from './page-repository.ts'
import type { PublishingService } from './publishing-service.ts'
import type { RedirectService } from './redirect-service.ts'
import type { ReservedPaths } from './reserved-paths.ts'
import type { SiteCache } from './site-cache.ts'
import type { Author, VersionService } from './version-service.ts'

export interface PageServiceParts {
  readonly markdown: MarkdownRenderer
  readonly versions: VersionService
  readonly publishing: PublishingService
  readonly redirects: RedirectService
  readonly reservedPaths: ReservedPaths
  readonly cache: SiteCache
}
export interface ChangeContext {
  readonly headers: IncomingHttpHeaders
  readonly author: Author
}
/** A patch whose body is rendered. */
export type PageChange = Omit<PagePatch, 'body'> & { readonly content?: RenderedBody }

export interface PageService {
  /** Creates a draft and returns its id. */
  create(tenantId: string, page: NewPage, author: Author): Promise<string>
  /** A changed text becomes a new version. A changed address applies at once. */
  update(tenantId: string, id: string, patch: PagePatch, context: ChangeContext): Promise<void>
  /** Applies a change in a unit that has locked the row. Does nothing if the page stays the same. */
  applyChange(unit: Unit, tenantId: string, page: PageRow, change: PageChange, author: Author): Promise<void>
  /** Makes the text of an older version the newest version. */
  restore(tenantId: string, id: string, number: number, context: ChangeContext): Promise<void>
  remove(tenantId: string, id: string, headers: IncomingHttpHeaders): Promise<void>
  /** Deletes the page and its schedule in a unit that has locked the row. */
  delete(unit: Unit, tenantId: string, page: PageRow): Promise<void>
}

export function createPageService(
  { database, clock, events, product, entitlements }: Deps<'database' | 'clock' | 'events' | 'product', 'entitlements'>,
  options: ContentOptions,
  { markdown, versions, publishing, redirects, reservedPaths, cache }: PageServiceParts,
): PageService {
  const templates = templatesOf(options)
  const now = () => new Date(clock.now())
  const publishChange = (change: 'created' | 'updated' | 'deleted', tenantId: string, page: PageRow) =>
    events.publish(`content.page.${change}`, { payload: pagePayload(page), subject: page.id, tenantId })

  /** Throws 422 for errors that the schema of the body can't express. */
  function validate({ locale, template }: { locale?: string | undefined; template?: string | undefined }): void {
    const { available } = product.locales
    if (locale !== undefined && !available.includes(locale))
      throw invalidField('/locale', 'not_allowed', `must be one of ${available.join(', ')}`)
    if (template !== undefined && !templates.includes(template))
      throw invalidField('/template', 'not_allowed', `must be one of ${templates.join(', ')}`)
  }

  /** A version stores the body and its HTML. */
  const requireStorage = (tenantId: string, content: RenderedBody | undefined) =>
    entitlements?.requireRowStorage(tenantId, content ? Buffer.byteLength(content.body + content.html) : 0)

  async function create(tenantId: string, page: NewPage, author: Author): Promise<string> {
    validate(page)
    const { slug, locale = product.locales.default, title, body = '', template = 'page', seo = {} } = page
    const path = parsePath(page.path ?? `/${slug}`)
    reservedPaths.assertNotReserved(tenantId, path)
    const publishAt = parsePublishTime(page.publishAt)
    const content = await (author === null ? markdown.renderTrusted(body) : markdown.render(tenantId, body))
    if (author !== null) await requireStorage(tenantId, content)
    const id = newId('pag', clock.now())
    await database.tenant(tenantId).transaction(async unit => {
      await lockAddresses(unit, tenantId)
      await assertAddressFree(unit, { id, slug, path, locale })
      await unit.query(
        `insert into content_pages (tenant_id, id, slug, path, locale, version, publish_at, created_at, updated_at)
         values ($1, $2, $3, $4, $5, 1, $6, $7, $7)`,
        [tenantId, id, slug, path, locale, publishAt, now()],
      )
      const text = { title, ...content, template, seo }
      await versions.append(unit, { tenantId, pageId: id, number: 1, text, author })
      if (publishAt) await publishing.schedule(tenantId, id, publishAt)
      await publishChange('created', tenantId, await lockPage(unit, id))
    })
    return id
  }

  async function update(
    tenantId: string,
    id: string,
    patch: PagePatch,
    { headers, author }: ChangeContext,
  ): Promise<void> {
    validate(patch)
    const { body, ...change } = patch
    const content = body === undefined ? undefined : await markdown.render(tenantId, body)
    await requireStorage(tenantId, content)
    await database.tenant(tenantId).transaction(async unit => {
      const page = await lockPage(unit, id)
      assertEditable(page)
      requireMatch(headers, etag(page.revision))
      await applyChange(unit, tenantId, page, { ...change, content }, author)
    })
  }

  async function applyChange(
    unit: Unit,
    tenantId: string,
    page: PageRow,
    change: PageChange,
    author: Author,
  ): Promise<void> {
    const before = await versions.textOf(unit, page.id, page.version)
    const { title = before.title, template = before.template, seo = before.seo } = change
    // The same body keeps its HTML, even if the renderer has changed.
    const { body, html } = change.content && change.content.body !== before.body ? change.content : before
    const text = { title, body, html, template, seo }
    const slug = change.slug ?? page.slug
    const path = change.path === undefined ? followSlug(page.path, page.slug, slug) : parsePath(change.path)
    const publishAt = change.publishAt === undefined ? page.publishAt : parsePublishTime(change.publishAt)
    const textChanged = !isDeepStrictEqual(text, before)
    const after = { ...page, slug, path, publishAt, version: page.version + (textChanged ? 1 : 0) }
    if (isDeepStrictEqual(after, page)) return
    if (slug !== page.slug || path !== page.path) await move(unit, tenantId, page, after)
    if (textChanged)
      await versions.append(unit, {
        tenantId,
        pageId: page.id,
        number: after.version,
        text,
        author,
      })
    await unit.query(
      `update content_pages set slug = $2, path = $3, version = $4, publish_at = $5, revision = revision + 1,
         updated_at = $6 where id = $1`,
      [page.id, slug, path, after.version, publishAt, now()],
    )
    if (publishAt?.getTime() !== page.publishAt?.getTime()) await publishing.schedule(tenantId, page.id, publishAt)
    await publishChange('updated', tenantId, after)
    cache.invalidateAfterCommit(tenantId)
  }

  /** Redirects from the old path if the page was ever published. */
  async function move(unit: Unit, tenantId: string, before: PageRow, after: PageRow): Promise<void> {
    if (before.path !== after.path) reservedPaths.assertNotReserved(tenantId, after.path)
    await lockAddresses(unit, tenantId)
    await assertAddressFree(unit, after)
    if (before.publishedAt !== null && before.path !== after.path)
      await redirects.addForMovedPage(unit, tenantId, before.path, after.path)
  }

  async function restore(
    tenantId: string,
    id: string,
    number: number,
    { headers, author }: ChangeContext,
  ): Promise<void> {
    await requireStorage(tenantId, undefined)
    await database.tenant(tenantId).transaction(async unit => {
      const page = await lockPage(unit, id)
      assertEditable(page)
      requireMatch(headers, etag(page.revision))
      const { body, html, ...text } = await versions.textOf(unit, id, number)
      await applyChange(unit, tenantId, page, { ...text, content: { body, html } }, author)
    })
  }

  async function remove(tenantId: string, id: string, headers: IncomingHttpHeaders): Promise<void> {
    await database.tenant(tenantId).transaction(async unit => {
      const page = await lockPage(unit, id)
      // The next start would create it again.
      if (page.managedBy !== null) throw common.managed_by_recipe()
      requireMatch(headers, etag(page.revision))
      await deletePage(unit, tenantId, page)
    })
  }

  async function deletePage(unit: Unit, tenantId: string, page: PageRow): Promise<void> {
    await publishing.schedule(tenantId, page.id, null)
    await unit.query('delete from content_pages where id = $1', [page.id])
    await publishChange('deleted', tenantId, page)
    cache.invalidateAfterCommit(tenantId)
  }

  return { create, update, applyChange, restore, remove, delete: deletePage }
}

function parsePath(text: string): string {
  const path = pagePath(text)
  if (path === undefined)
    throw invalidField('/path', 'wrong_format', 'must be a path of this site that is not below /v1 or /assets')
  return path
}
