import { common, listOf, listQuery, reply, route, Type } from '@larder-dev/larder/kernel'
import { problems } from '../problems.ts'
import { NewRedirect, Redirect, RedirectPatch, ResolvedRedirect } from '../records/redirect.ts'
import type { ContentServices } from '../services.ts'

const CHANGE_PROBLEMS = [problems.redirect_exists, problems.redirect_loop, common.managed_by_recipe]

export function redirectRoutes({ redirects }: Pick<ContentServices, 'redirects'>) {
  const list = route({
    method: 'get',
    path: '/content/redirects',
    operationId: 'listRedirects',
    summary: 'Lists redirects, newest first.',
    allow: 'content.redirect.read',
    query: listQuery(),
    replies: { 200: listOf(Redirect) },
    handle: ({ tenantId, query }) => redirects.list(tenantId, query),
  })

  const resolve = route({
    method: 'get',
    path: '/content/redirects/resolve',
    operationId: 'resolveRedirect',
    summary: 'Returns the redirect that applies to a path.',
    allow: 'content.redirect.read',
    query: Type.Object({ path: Type.String({ minLength: 1, maxLength: 1024, pattern: '^/' }) }),
    replies: { 200: ResolvedRedirect },
    problems: [problems.no_redirect],
    handle: ({ tenantId, query }) => redirects.resolve(tenantId, query.path),
  })

  const create = route({
    method: 'post',
    path: '/content/redirects',
    operationId: 'createRedirect',
    summary:
      'Creates a redirect: exact, or from /old/* to /new/:splat. The status is 301 by default; 410 has no target.',
    allow: 'content.redirect.create',
    body: NewRedirect,
    replies: { 201: Redirect },
    problems: [problems.redirect_exists, problems.redirect_loop, problems.too_many_redirects],
    async handle({ tenantId, body }) {
      const redirect = await redirects.create(tenantId, body)
      return reply(201, redirect, { location: `/v1/content/redirects/${redirect.id}` })
    },
  })

  const get = route({
    method: 'get',
    path: '/content/redirects/:id',
    operationId: 'getRedirect',
    summary: 'Returns a redirect.',
    allow: 'content.redirect.read',
    replies: { 200: Redirect },
    handle: ({ tenantId, params }) => redirects.get(tenantId, params.id),
  })

  const update = route({
    method: 'patch',
    path: '/content/redirects/:id',
    operationId: 'updateRedirect',
    summary: 'Changes a redirect.',
    allow: 'content.redirect.update',
    body: RedirectPatch,
    replies: { 200: Redirect },
    problems: CHANGE_PROBLEMS,
    handle: ({ tenantId, params, body }) => redirects.update(tenantId, params.id, body),
  })

  const remove = route({
    method: 'delete',
    path: '/content/redirects/:id',
    operationId: 'deleteRedirect',
    summary: 'Deletes a redirect.',
    allow: 'content.redirect.delete',
    replies: { 204: null },
    problems: [common.managed_by_recipe],
    handle: ({ tenantId, params }) => redirects.remove(tenantId, params.id),
  })

  return [list, resolve, create, get, update, remove]
}
