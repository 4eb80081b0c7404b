import { common, type Deps, reply, route, Type, tableRoutes } from '@larder-dev/larder/kernel'
import { problems } from '../problems.ts'
import { NewRedirect, Redirect, RedirectPatch, ResolvedRedirect, redirectTable } from '../records/redirect.ts'
import type { ContentServices } from '../services.ts'

const CHANGE_PROBLEMS = [problems.redirect_exists, problems.redirect_loop, common.managed_by_recipe]

type RouteDeps = Deps<'database' | 'clock'> & Pick<ContentServices, 'redirects'>

export function redirectRoutes(deps: RouteDeps) {
  const { redirects } = deps

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

  const read = tableRoutes(redirectTable, deps, {
    path: '/content/redirects',
    list: { allow: 'content.redirect.read', summary: 'Lists redirects, newest first.' },
    get: { allow: 'content.redirect.read', summary: 'Returns a redirect.' },
  })

  return [resolve, create, update, remove, ...read]
}
