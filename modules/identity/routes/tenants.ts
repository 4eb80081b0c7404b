import { common, type Deps, listOf, listQuery, reply, route, Type } from 'larder/kernel'
import { tenantLimits } from '../domain/rate-limits.ts'
import { problems } from '../problems.ts'
import { Name, Slug, Tenant } from '../schemas.ts'

export function tenantRoutes({ identity }: Deps<'identity'>) {
  const { tenants } = identity

  /** Another tenant's id is no secret to confirm: it is as unknown as any. */
  const mustBeHere = (id: string, tenantId: string): string => {
    if (id !== tenantId) throw common.not_found({ what: 'workspace' })
    return id
  }

  const create = route({
    method: 'post',
    path: '/identity/tenants',
    summary: 'Makes a workspace; the caller becomes its owner.',
    allow: 'user',
    apiKeys: false,
    unit: 'own',
    body: Type.Object({ name: Name, slug: Type.Optional(Slug) }),
    replies: { 201: Tenant },
    problems: [problems.slug_taken],
    limits: tenantLimits,
    async handle({ body, caller }) {
      const tenant = await tenants.add({ ...body, ownerId: caller.userId }, caller)
      return reply(201, tenant, { location: `/v1/identity/tenants/${tenant.id}` })
    },
  })

  const list = route({
    method: 'get',
    path: '/identity/tenants',
    summary: 'The workspaces that the caller is a member of.',
    allow: 'user',
    apiKeys: false,
    query: listQuery(),
    replies: { 200: listOf(Tenant) },
    handle: ({ caller, query }) => tenants.list(caller.userId, query),
  })

  const get = route({
    method: 'get',
    path: '/identity/tenants/:id',
    summary: 'The workspace that the request is in: another one is reached with its id in x-tenant-id, too.',
    allow: 'identity.tenant.read',
    apiKeys: false,
    replies: { 200: Tenant },
    handle: async ({ params, tenantId }) => tenants.get(mustBeHere(params.id, tenantId)),
  })

  const update = route({
    method: 'patch',
    path: '/identity/tenants/:id',
    summary: 'Changes name and slug.',
    allow: 'identity.tenant.update',
    apiKeys: false,
    body: Type.Object({ name: Type.Optional(Name), slug: Type.Optional(Slug) }),
    replies: { 200: Tenant },
    problems: [problems.slug_taken],
    handle: async ({ params, tenantId, body, caller }) => tenants.update(mustBeHere(params.id, tenantId), body, caller),
  })

  const remove = route({
    method: 'delete',
    path: '/identity/tenants/:id',
    summary: 'Deletes the workspace with its members, roles, keys and invitations.',
    allow: 'identity.tenant.delete',
    apiKeys: false,
    replies: { 204: null },
    problems: [problems.operator_tenant],
    handle: async ({ params, tenantId, caller }) => tenants.remove(mustBeHere(params.id, tenantId), caller),
  })

  return [create, list, get, update, remove]
}
