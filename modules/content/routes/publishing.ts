import { common, type Deps, listOf, listQuery, route } from 'larder/kernel'
import { parsePublishTime } from '../domain/publish-time.ts'
import { Page, Publishing, Version, VersionSummary } from './page-schemas.ts'
import { CHANGES, shown } from './pages.ts'

/** The largest that PostgreSQL's integer holds. */
const MOST = 2_147_483_647

function versionNumber(text: string): number {
  const number = /^[1-9]\d{0,9}$/.test(text) ? Number(text) : 0
  if (number < 1 || number > MOST) throw common.not_found({ what: 'version' })
  return number
}

export function publishingRoutes({ content }: Deps<'content'>) {
  const { pages, publishing, rows, versions } = content
  const current = async (tenantId: string, id: string) => shown(200, await rows.get(tenantId, id, 'drafts'))

  const publish = route({
    method: 'post',
    path: '/content/pages/:id/publish',
    summary: 'Shows the newest version to visitors: now, or at publishAt.',
    allow: 'content.page.publish',
    body: Publishing,
    replies: { 200: Page },
    problems: CHANGES,
    async handle({ tenantId, params, body, request }) {
      const at = parsePublishTime(body.publishAt)
      await publishing.publish(tenantId, params.id, request.headers, at)
      return current(tenantId, params.id)
    },
  })

  const unpublish = route({
    method: 'post',
    path: '/content/pages/:id/unpublish',
    summary: 'Takes a page back: it is a draft again, and is not published by itself any more.',
    allow: 'content.page.publish',
    replies: { 200: Page },
    problems: CHANGES,
    async handle({ tenantId, params, request }) {
      await publishing.unpublish(tenantId, params.id, request.headers)
      return current(tenantId, params.id)
    },
  })

  const list = route({
    method: 'get',
    path: '/content/pages/:id/versions',
    summary: 'Versions of a page, newest first.',
    allow: 'content.page.update',
    query: listQuery(),
    replies: { 200: listOf(VersionSummary) },
    handle: ({ tenantId, params, query }) => versions.list(tenantId, params.id, query),
  })

  const get = route({
    method: 'get',
    path: '/content/pages/:id/versions/:version',
    summary: 'What a version says.',
    allow: 'content.page.update',
    replies: { 200: Version },
    handle: ({ tenantId, params }) => versions.get(tenantId, params.id, versionNumber(params.version)),
  })

  const restore = route({
    method: 'post',
    path: '/content/pages/:id/versions/:version/restore',
    summary: 'Writes what an older version says as the newest one. The address stays.',
    allow: 'content.page.update',
    replies: { 200: Page },
    problems: CHANGES,
    async handle({ tenantId, params, caller, request }) {
      const by = { headers: request.headers, by: caller.userId }
      await pages.restore(tenantId, params.id, versionNumber(params.version), by)
      return current(tenantId, params.id)
    },
  })

  return [publish, unpublish, list, get, restore]
}
