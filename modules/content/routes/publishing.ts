import { common, listOf, listQuery, route, workerPoolProblems } from '@larder-dev/larder/kernel'
import { parsePublishTime } from '../domain/publish-time.ts'
import { problems } from '../problems.ts'
import { Page, Publishing, Version, VersionSummary } from '../records/page.ts'
import { draftOf } from '../services/page-listing.ts'
import type { ContentServices } from '../services.ts'
import { CHANGE_PROBLEMS, replyWith } from './pages.ts'

/** Limit of PostgreSQL's integer. */
const MAX_VERSION = 2_147_483_647

function parseVersionNumber(text: string): number {
  const number = /^[1-9]\d{0,9}$/.test(text) ? Number(text) : 0
  if (number < 1 || number > MAX_VERSION) throw common.not_found({ what: 'version' })
  return number
}

export function publishingRoutes({
  pages,
  publishing,
  recipeContent,
  versions,
}: Pick<ContentServices, 'pages' | 'publishing' | 'recipeContent' | 'versions'>) {
  const publish = route({
    method: 'post',
    path: '/content/pages/:id/publish',
    operationId: 'publishPage',
    summary: 'Publishes the newest version, now or at `publishAt`. Supports If-Match.',
    allow: 'content.page.publish',
    body: Publishing,
    replies: { 200: Page },
    problems: CHANGE_PROBLEMS,
    async handle({ tenantId, params, body, request }) {
      const at = parsePublishTime(body.publishAt)
      return replyWith(200, draftOf(await publishing.publish(tenantId, params.id, request.headers, at)))
    },
  })

  const unpublish = route({
    method: 'post',
    path: '/content/pages/:id/unpublish',
    operationId: 'unpublishPage',
    summary: 'Makes a page a draft again and cancels its scheduled publication. Supports If-Match.',
    allow: 'content.page.publish',
    replies: { 200: Page },
    problems: CHANGE_PROBLEMS,
    async handle({ tenantId, params, request }) {
      return replyWith(200, draftOf(await publishing.unpublish(tenantId, params.id, request.headers)))
    },
  })

  const list = route({
    method: 'get',
    path: '/content/pages/:id/versions',
    operationId: 'listPageVersions',
    summary: 'Lists the versions of a page, newest first.',
    allow: 'content.page.update',
    query: listQuery(),
    replies: { 200: listOf(VersionSummary) },
    handle: ({ tenantId, params, query }) => versions.list(tenantId, params.id, query),
  })

  const get = route({
    method: 'get',
    path: '/content/pages/:id/versions/:version',
    operationId: 'getPageVersion',
    summary: 'Returns a version of a page.',
    allow: 'content.page.update',
    replies: { 200: Version },
    handle: ({ tenantId, params }) => versions.get(tenantId, params.id, parseVersionNumber(params.version)),
  })

  const restore = route({
    method: 'post',
    path: '/content/pages/:id/versions/:version/restore',
    operationId: 'restorePageVersion',
    summary: 'Copies an older version as the newest one. The address stays the same. Supports If-Match.',
    allow: 'content.page.update',
    replies: { 200: Page },
    problems: [workerPoolProblems.worker_pool_busy, ...CHANGE_PROBLEMS, 'entitlement_exceeded'],
    async handle({ tenantId, params, caller, request }) {
      const context = { headers: request.headers, author: caller.userId }
      return replyWith(
        200,
        draftOf(await pages.restore(tenantId, params.id, parseVersionNumber(params.version), context)),
      )
    },
  })

  const reset = route({
    method: 'post',
    path: '/content/pages/:id/reset',
    operationId: 'resetPage',
    summary: 'Gives a page of the recipe its text again, as a new version, and publishes it. Supports If-Match.',
    allow: 'content.page.publish',
    replies: { 200: Page },
    problems: [problems.page_not_of_recipe, common.precondition_failed],
    handle: async ({ tenantId, params, request }) =>
      replyWith(200, draftOf(await recipeContent.resetPage(tenantId, params.id, request.headers))),
  })

  return [publish, unpublish, list, get, restore, reset]
}
