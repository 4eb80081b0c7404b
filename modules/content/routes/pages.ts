import { type Caller, common, type Deps, etag, listOf, listQuery, OneOf, reply, route, Type } from 'larder/kernel'
import { problems } from '../problems.ts'
import { Locale, NewPage, PAGE_STATUSES, Page, PagePatch, PageSummary, Path, Slug } from './page-schemas.ts'
import type { PageView, WithRevision } from '../services/page-repository.ts'

export const viewOf = (caller: Caller): PageView => (caller.can('content.page.update') ? 'drafts' : 'published')
/** What a writer gets back: the newest version, whatever else they may read. */
export const shown = (status: number, page: WithRevision<Page>, headers: Record<string, string> = {}) =>
  reply(status, page, { etag: etag(page.revision), ...headers })

/** What any change of a page may answer. */
export const CHANGES = [common.managed_by_recipe, common.precondition_failed]

/** Changing when something is published is publishing it. */
function mayPublish(caller: Caller, { publishAt }: { publishAt?: string | null | undefined }): void {
  const permission = 'content.page.publish'
  if (publishAt !== undefined && !caller.can(permission))
    throw common.forbidden({ permission }, { requiredPermission: permission })
}

export function pageRoutes({ content }: Deps<'content'>) {
  const { pages, rows } = content

  const list = route({
    method: 'get',
    path: '/content/pages',
    summary: 'Pages, newest first unless sort says otherwise; drafts too for those who may change pages.',
    allow: 'content.page.read',
    query: listQuery({
      sort: Type.Optional(OneOf(['createdAt', '-createdAt'])),
      'filter[status]': Type.Optional(OneOf(PAGE_STATUSES)),
      'filter[locale]': Type.Optional(Locale),
      'filter[slug]': Type.Optional(Slug),
      'filter[path]': Type.Optional(Path),
    }),
    replies: { 200: listOf(PageSummary) },
    handle: ({ tenantId, query, caller }) =>
      rows.list(tenantId, viewOf(caller), {
        ...query,
        oldestFirst: query.sort === 'createdAt',
        status: query['filter[status]'],
        locale: query['filter[locale]'],
        slug: query['filter[slug]'],
        path: query['filter[path]'],
      }),
  })

  const create = route({
    method: 'post',
    path: '/content/pages',
    summary: 'Writes a draft; with publishAt it is published then by itself.',
    allow: 'content.page.create',
    body: NewPage,
    replies: { 201: Page },
    problems: [problems.page_slug_taken, problems.page_path_taken, problems.page_path_fixed, problems.body_too_costly],
    async handle({ tenantId, body, caller }) {
      mayPublish(caller, body)
      const id = await pages.create(tenantId, body, caller.userId)
      return shown(201, await rows.get(tenantId, id, 'drafts'), { location: `/v1/content/pages/${id}` })
    },
  })

  const get = route({
    method: 'get',
    path: '/content/pages/:id',
    summary: 'A page; with locale its translation into it, or the nearest there is.',
    allow: 'content.page.read',
    query: Type.Object({ locale: Type.Optional(Locale) }),
    replies: { 200: Page },
    handle: async ({ tenantId, params, query, caller }) =>
      shown(200, await rows.get(tenantId, params.id, viewOf(caller), query.locale)),
  })

  const update = route({
    method: 'patch',
    path: '/content/pages/:id',
    summary:
      'Changes a page. Its text becomes a new version, a new address counts at once; with If-Match if unchanged.',
    allow: 'content.page.update',
    body: PagePatch,
    replies: { 200: Page },
    problems: [
      problems.page_slug_taken,
      problems.page_path_taken,
      problems.page_path_fixed,
      ...CHANGES,
      problems.body_too_costly,
    ],
    async handle({ tenantId, params, body, caller, request }) {
      mayPublish(caller, body)
      await pages.update(tenantId, params.id, body, { headers: request.headers, by: caller.userId })
      return shown(200, await rows.get(tenantId, params.id, 'drafts'))
    },
  })

  const remove = route({
    method: 'delete',
    path: '/content/pages/:id',
    summary: 'Deletes a page with its versions.',
    allow: 'content.page.delete',
    replies: { 204: null },
    problems: CHANGES,
    handle: ({ tenantId, params, request }) => pages.remove(tenantId, params.id, request.headers),
  })

  return [list, create, get, update, remove]
}
