import { common, listOf, listQuery, reply, route, Type } from '@larder-dev/larder/kernel'
import { createTenantLimits } from '../domain/rate-limits.ts'
import { RECENT_AUTH } from '../domain/recent-proof.ts'
import { memberProblems } from './members/problems.ts'
import { workspaceProblems } from './problems.ts'
import { NewTenant, Tenant, TenantPatch } from './records.ts'
import type { WorkspaceServices } from './services.ts'

export function tenantRoutes({ members, profiles, tenants }: WorkspaceServices) {
  const { Member } = profiles.schemas()

  /** Another tenant's id gives the same 404 as an unknown one. */
  const assertCurrentTenant = (id: string, tenantId: string): string => {
    if (id !== tenantId) throw common.not_found({ what: 'workspace' })
    return id
  }

  const create = route({
    method: 'post',
    path: '/identity/tenants',
    operationId: 'createTenant',
    summary: 'Creates a workspace. The caller becomes its owner.',
    allow: 'user',
    apiKeys: false,
    // The new workspace is not the one of the request.
    unit: 'own',
    body: NewTenant,
    replies: { 201: Tenant },
    problems: [workspaceProblems.slug_taken, workspaceProblems.one_workspace],
    limits: createTenantLimits,
    async handle({ body, caller }) {
      const tenant = await tenants.create({ ...body, ownerId: caller.userId }, caller)
      return reply(201, tenant, { location: `/v1/identity/tenants/${tenant.id}` })
    },
  })

  const list = route({
    method: 'get',
    path: '/identity/tenants',
    operationId: 'listTenants',
    summary: "Lists the caller's workspaces.",
    allow: 'user',
    apiKeys: false,
    query: listQuery(),
    replies: { 200: listOf(Tenant) },
    handle: ({ caller, query }) => tenants.list(caller.userId, query),
  })

  const get = route({
    method: 'get',
    path: '/identity/tenants/:id',
    operationId: 'getTenant',
    summary: 'Returns the current workspace. Select another one with the `x-tenant-id` header.',
    allow: 'identity.tenant.read',
    apiKeys: false,
    replies: { 200: Tenant },
    handle: async ({ params, tenantId }) => tenants.get(assertCurrentTenant(params.id, tenantId)),
  })

  const update = route({
    method: 'patch',
    path: '/identity/tenants/:id',
    operationId: 'updateTenant',
    summary: 'Updates the name or slug.',
    allow: 'identity.tenant.update',
    apiKeys: false,
    body: TenantPatch,
    replies: { 200: Tenant },
    problems: [workspaceProblems.slug_taken],
    handle: async ({ params, tenantId, body, caller }) =>
      tenants.update(assertCurrentTenant(params.id, tenantId), body, caller),
  })

  const remove = route({
    method: 'delete',
    path: '/identity/tenants/:id',
    operationId: 'deleteTenant',
    summary: 'Deletes the workspace and all of its data.',
    allow: 'identity.tenant.delete',
    apiKeys: false,
    recentAuth: RECENT_AUTH,
    replies: { 204: null },
    problems: [workspaceProblems.operator_tenant],
    handle: async ({ params, tenantId, caller }) => tenants.remove(assertCurrentTenant(params.id, tenantId), caller),
  })

  const transfer = route({
    method: 'post',
    path: '/identity/tenants/:id/transfer',
    operationId: 'transferTenant',
    summary: 'Makes a member the owner. The caller, who must be an owner, gives up that role.',
    allow: 'identity.member.update',
    apiKeys: false,
    recentAuth: RECENT_AUTH,
    body: Type.Object({ memberId: Type.String({ minLength: 1, maxLength: 64 }) }),
    replies: { 200: Member },
    problems: [memberProblems.not_owner, memberProblems.suspended_customer],
    handle: async ({ params, tenantId, body, caller }) =>
      members.transferOwnership(assertCurrentTenant(params.id, tenantId), body.memberId, caller),
  })

  return [create, list, get, update, remove, transfer]
}
