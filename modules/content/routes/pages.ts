import {
  type Caller,
  common,
  etag,
  fingerprint,
  listOf,
  listQuery,
  missingPermission,
  OneOf,
  reply,
  replyWithEtag,
  route,
  Type,
  workerPoolProblems,
} from '@larder-dev/larder/kernel'
import { problems } from '../problems.ts'
import { Locale, MediaId, NewPage, PAGE_STATUSES, Page, PagePatch, PageSummary, Path, Slug } from '../records/page.ts'
import { draftOf, type PageView, type WithRevision } from '../services/page-listing.ts'
import type { ContentServices } from '../services.ts'

export function viewOf(caller: Caller): PageView {
  if (caller.can('content.page.update')) return 'drafts'
  return caller.can('content.page.publish') || caller.can('content.page.delete') ? 'publishing' : 'published'
}
/** The revision, which those who write a page send back, counts changes of the draft, too. */
const tagFor = (view: PageView, { revision, ...page }: WithRevision<Page>): string =>
  etag(view === 'published' ? fingerprint(JSON.stringify(page)) : revision)

/** Writers get the newest version, whatever else they may read. */
export const replyWith = replyWithEtag((page: WithRevision<Page>) => page.revision)

/** Problems of every change of a page. */
export const CHANGE_PROBLEMS = [common.managed_by_recipe, common.precondition_failed]

/** Scheduling a page requires the permission to publish it. */
function assertMayPublish(caller: Caller, { publishAt }: { publishAt?: string | null | undefined }): void {
  const permission = 'content.page.publish'
  if (publishAt !== undefined && !caller.can(permission)) throw missingPermission(permission)
}

export function pageRoutes({ pageListing, pages }: Pick<ContentServices, 'pageListing' | 'pages'>) {
  const list = route({
    method: 'get',
    path: '/content/pages',
    operationId: 'listPages',
    summary: 'Lists pages, newest first by default. Callers who may change pages see drafts.',
    allow: 'content.page.read',
    query: listQuery({ sort: Type.Optional(OneOf(['createdAt', '-createdAt'])) }),
    filters: { status: OneOf(PAGE_STATUSES), locale: Locale, slug: Slug, path: Path, mediaId: MediaId },
    replies: { 200: listOf(PageSummary) },
    handle: ({ tenantId, query, filters, caller }) =>
      pageListing.list(tenantId, viewOf(caller), { ...query, ...filters, oldestFirst: query.sort === 'createdAt' }),
  })

  const create = route({
    method: 'post',
    path: '/content/pages',
    operationId: 'createPage',
    summary: 'Creates a draft. `publishAt` schedules its publication.',
    allow: 'content.page.create',
    body: NewPage,
    replies: { 201: Page },
    // No unit: it would hold a connection while the body is rendered.
    unit: 'own',
    problems: [
      workerPoolProblems.worker_pool_busy,
      'entitlement_exceeded',
      problems.page_slug_taken,
      problems.page_path_taken,
      problems.page_path_fixed,
      problems.body_too_costly,
    ],
    async handle({ tenantId, body, caller }) {
      assertMayPublish(caller, body)
      const page = draftOf(await pages.create(tenantId, body, caller.userId))
      return replyWith(201, page, { location: `/v1/content/pages/${page.id}` })
    },
  })

  const get = route({
    method: 'get',
    path: '/content/pages/:id',
    operationId: 'getPage',
    summary: 'Returns a page. `locale` selects its translation, or the closest one.',
    allow: 'content.page.read',
    query: Type.Object({ locale: Type.Optional(Locale) }),
    replies: { 200: Page },
    async handle({ tenantId, params, query, caller }) {
      const view = viewOf(caller)
      const page = await pageListing.get(tenantId, params.id, view, query.locale)
      return reply(200, page, { etag: tagFor(view, page) })
    },
  })

  const update = route({
    method: 'patch',
    path: '/content/pages/:id',
    operationId: 'updatePage',
    summary: 'Changes a page. A new text becomes a version; a new address applies at once. Supports If-Match.',
    allow: 'content.page.update',
    body: PagePatch,
    replies: { 200: Page },
    // No unit: it would hold a connection while the body is rendered.
    unit: 'own',
    problems: [
      workerPoolProblems.worker_pool_busy,
      'entitlement_exceeded',
      problems.page_slug_taken,
      problems.page_path_taken,
      problems.page_path_fixed,
      ...CHANGE_PROBLEMS,
      problems.body_too_costly,
    ],
    async handle({ tenantId, params, body, caller, request }) {
      assertMayPublish(caller, body)
      const context = { headers: request.headers, author: caller.userId }
      return replyWith(200, draftOf(await pages.update(tenantId, params.id, body, context)))
    },
  })

  const remove = route({
    method: 'delete',
    path: '/content/pages/:id',
    operationId: 'deletePage',
    summary: 'Deletes a page and its versions. Supports If-Match.',
    allow: 'content.page.delete',
    replies: { 204: null },
    problems: CHANGE_PROBLEMS,
    handle: ({ tenantId, params, request }) => pages.remove(tenantId, params.id, request.headers),
  })

  return [list, create, get, update, remove]
}
