/** Creates, changes, moves and deletes pages. */

import type { IncomingHttpHeaders } from 'node:http'
import { isDeepStrictEqual } from 'node:util'
import {
  common,
  type Deps,
  etag,
  invalidField,
  newId,
  requireMatch,
  type Step,
  type Unit,
  wording,
} from '@larder-dev/larder/kernel'
import { matchLocale } from '@larder-dev/larder/kernel/internal'
import { followSlug, pagePath, pagePattern } from '../domain/paths.ts'
import { parsePublishTime } from '../domain/publish-time.ts'
import { type ContentOptions, DEFAULT_TEMPLATE, templatesOf } from '../options.ts'
import { type NewPage, type PagePatch, type PageRow, pageTable, textTable } from '../records/page.ts'
import { pagePayload } from './change-events.ts'
import type { MarkdownRenderer, RenderedBody } from './markdown-renderer.ts'
import {
  assertPageEditable,
  lockAddressesStep,
  lockPage,
  lockPageWithText,
  type PageWithText,
  rethrowAddressTaken,
  updatePageStep,
} from './page-repository.ts'
import type { PublishingService } from './publishing-service.ts'
import type { RedirectService } from './redirect-service.ts'
import type { ReservedPaths } from './reserved-paths.ts'
import type { SiteCache } from './site-cache.ts'
import type { Author, VersionService } from './version-service.ts'

export type PageServiceDeps = Deps<'database' | 'clock' | 'events' | 'product', 'entitlements'> & {
  readonly markdown: MarkdownRenderer
  readonly versions: VersionService
  readonly publishing: PublishingService
  readonly redirects: RedirectService
  readonly reservedPaths: ReservedPaths
  readonly siteCache: SiteCache
}
export interface ChangeContext {
  readonly headers: IncomingHttpHeaders
  readonly author: Author
}
/** A patch whose body is rendered. */
export type PageChange = Omit<PagePatch, 'body'> & { readonly content?: RenderedBody }

export interface PageService {
  create(tenantId: string, page: NewPage, author: Author): Promise<PageWithText>
  /** A changed text becomes a new version. A changed address applies at once. */
  update(tenantId: string, id: string, patch: PagePatch, context: ChangeContext): Promise<PageWithText>
  /** Applies a change in a unit that has locked the row. Does nothing if the page stays the same. */
  applyChange(
    unit: Unit,
    tenantId: string,
    current: PageWithText,
    change: PageChange,
    author: Author,
  ): Promise<PageWithText>
  /** Makes the text of an older version the newest version. */
  restore(tenantId: string, id: string, number: number, context: ChangeContext): Promise<PageWithText>
  remove(tenantId: string, id: string, headers: IncomingHttpHeaders): Promise<void>
  /** Deletes the page and its schedule in a unit that has locked the row. */
  delete(unit: Unit, tenantId: string, page: PageRow): Promise<void>
}

export function createPageService(deps: PageServiceDeps, options: ContentOptions): PageService {
  const { database, clock, events, product, entitlements } = deps
  const { markdown, versions, publishing, redirects, reservedPaths, siteCache } = deps
  const templates = templatesOf(options)
  const now = () => new Date(clock.now())
  const eventStep = (change: 'created' | 'updated' | 'deleted', tenantId: string, page: PageRow): Step =>
    events.publishStep(`content.page.${change}`, { payload: pagePayload(page), subject: page.id, tenantId })

  /** Returns the language. Throws 422 for errors that the schema of the body can't express. */
  function validate({ locale, template }: { locale?: string | undefined; template?: string | undefined }): string {
    const { available } = product.locales
    const found = locale === undefined ? undefined : matchLocale(locale, available)
    if (locale !== undefined && found === undefined)
      throw invalidField('/locale', 'not_allowed', wording('must be one of {choices}', { choices: available }))
    if (template !== undefined && !templates.includes(template))
      throw invalidField('/template', 'not_allowed', wording('must be one of {choices}', { choices: templates }))
    return found ?? product.locales.default
  }

  /** A version stores the body and its HTML. */
  const requireStorage = (tenantId: string, content: RenderedBody | undefined) =>
    entitlements?.requireRowStorage(tenantId, content ? Buffer.byteLength(content.body + content.html) : 0)

  async function create(tenantId: string, body: NewPage, author: Author): Promise<PageWithText> {
    const locale = validate(body)
    const { slug, title, template = DEFAULT_TEMPLATE, seo = {} } = body
    const path = parsePath(body.path ?? `/${slug}`, author)
    // The check of the recipe warns of its pages that are hidden.
    if (author !== null) reservedPaths.assertNotReserved(tenantId, path)
    const publishAt = parsePublishTime(body.publishAt)
    const content = await render(tenantId, body.body ?? '', author)
    if (author !== null) await requireStorage(tenantId, content)
    const createdAt = now()
    const id = newId('pag', clock.now())
    const values = {
      ...pageTable.pick(body),
      tenantId,
      id,
      slug,
      path,
      locale,
      publishAt,
      createdAt,
      updatedAt: createdAt,
    }
    const page = pageTable.record(values)
    const text = textTable.record({ ...textTable.pick(body), title, ...content, template, seo })
    const steps = [
      pageTable.insertStep(values),
      ...versions.appendSteps({ tenantId, page, text, author }),
      eventStep('created', tenantId, page),
    ]
    await write(database.tenant(tenantId), tenantId, steps, publishAt && { pageId: id, at: publishAt })
    return { page, text }
  }

  const render = (tenantId: string, body: string, author: Author): Promise<RenderedBody> =>
    author === null ? markdown.renderTrusted(body) : markdown.render(tenantId, body)

  /** One round trip, unless the page is scheduled. The unique constraints decide between concurrent changes. */
  async function write(
    unit: Unit,
    tenantId: string,
    steps: readonly Step[],
    schedule?: { readonly pageId: string; readonly at: Date | null } | null,
  ): Promise<void> {
    const written = schedule
      ? unit.transaction(inside =>
          Promise.all([inside.all(steps), publishing.schedule(tenantId, schedule.pageId, schedule.at)]),
        )
      : unit.all(steps)
    await written.catch(rethrowAddressTaken)
  }

  async function update(
    tenantId: string,
    id: string,
    patch: PagePatch,
    { headers, author }: ChangeContext,
  ): Promise<PageWithText> {
    validate(patch)
    const { body, ...change } = patch
    const content = body === undefined ? undefined : await markdown.render(tenantId, body)
    await requireStorage(tenantId, content)
    return database.tenant(tenantId).transaction(async unit => {
      const current = await lockPageWithText(unit, id)
      assertPageEditable(current.page)
      requireMatch(headers, etag(current.page.revision))
      return applyChange(unit, tenantId, current, { ...change, content }, author)
    })
  }

  async function applyChange(
    unit: Unit,
    tenantId: string,
    current: PageWithText,
    change: PageChange,
    author: Author,
  ): Promise<PageWithText> {
    const { page, text: before } = current
    // The same body keeps its HTML, even if the renderer has changed.
    const { body, html } = change.content && change.content.body !== before.body ? change.content : before
    const text = { ...before, ...textTable.pick(change), body, html }
    const slug = change.slug ?? page.slug
    const path = change.path === undefined ? followSlug(page.path, page.slug, slug) : parsePath(change.path, author)
    const publishAt = change.publishAt === undefined ? page.publishAt : parsePublishTime(change.publishAt)
    const textChanged = !isDeepStrictEqual(text, before)
    const version = page.version + (textChanged ? 1 : 0)
    const changed = { ...page, ...pageTable.pick(change), slug, path, publishAt, version }
    if (isDeepStrictEqual(changed, page)) return current
    const after = { ...changed, revision: page.revision + 1, updatedAt: now() }
    const moved = slug !== page.slug || path !== page.path
    if (author !== null && path !== page.path) reservedPaths.assertNotReserved(tenantId, path)
    // The redirects follow the page: it waits for a concurrent change of its address, and they see the result.
    const steps = [
      ...(moved ? [lockAddressesStep(tenantId, page, after)] : []),
      updatePageStep(after),
      ...(textChanged ? versions.appendSteps({ tenantId, page: after, text, author }) : []),
      ...(path !== page.path && page.publishedAt !== null ? redirects.movedPageSteps(tenantId, page.path, path) : []),
      eventStep('updated', tenantId, after),
    ]
    const rescheduled = publishAt?.getTime() !== page.publishAt?.getTime()
    await write(unit, tenantId, steps, rescheduled ? { pageId: page.id, at: publishAt } : undefined)
    siteCache.invalidateAfterCommit(tenantId)
    return { page: after, text }
  }

  async function restore(
    tenantId: string,
    id: string,
    number: number,
    { headers, author }: ChangeContext,
  ): Promise<PageWithText> {
    await requireStorage(tenantId, undefined)
    return database.tenant(tenantId).transaction(async unit => {
      const [current, older] = await Promise.allSettled([lockPageWithText(unit, id), versions.textOf(unit, id, number)])
      if (current.status === 'rejected') throw current.reason
      assertPageEditable(current.value.page)
      requireMatch(headers, etag(current.value.page.revision))
      if (older.status === 'rejected') throw older.reason
      const { body, html, ...text } = older.value
      return applyChange(unit, tenantId, current.value, { ...text, content: { body, html } }, author)
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
    await Promise.all([
      unit.all([['delete from content_pages where id = $1', [page.id]], eventStep('deleted', tenantId, page)]),
      page.publishAt && publishing.schedule(tenantId, page.id, null),
    ])
    siteCache.invalidateAfterCommit(tenantId)
  }

  return { create, update, applyChange, restore, remove, delete: deletePage }
}

/** Only pages of the recipe have parameters in their path. */
function parsePath(text: string, author: Author): string {
  const path = author === null ? pagePattern(text) : pagePath(text)
  if (path === undefined)
    throw invalidField('/path', 'wrong_format', wording('must be a path of this site that is not below /v1 or /assets'))
  return path
}
