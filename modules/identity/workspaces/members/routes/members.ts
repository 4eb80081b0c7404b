import { common, listOf, listQuery, missingPermission, route, Type } from '@larder-dev/larder/kernel'
import { RoleKeys } from '../../../domain/fields.ts'
import { MemberSearch } from '../../../users/records/member.ts'
import { workspaceProblems } from '../../problems.ts'
import type { WorkspaceServices } from '../../services.ts'
import { memberProblems } from '../problems.ts'

/** Up to 200. */
const IdList = Type.String({ minLength: 1, maxLength: 8_000, description: 'IDs, separated by commas' })

export function memberRoutes({ members, profiles }: WorkspaceServices) {
  const { Member, MemberProfileChange } = profiles.schemas()

  const list = route({
    method: 'get',
    path: '/identity/members',
    operationId: 'listMembers',
    summary: 'Lists the members of the workspace.',
    allow: 'identity.member.read',
    query: listQuery({
      'filter[role]': Type.Optional(Type.String({ maxLength: 64 })),
      'filter[email]': Type.Optional(Type.String({ maxLength: 254 })),
      'filter[id][in]': Type.Optional(IdList),
      'filter[userId][in]': Type.Optional(IdList),
      q: MemberSearch,
    }),
    replies: { 200: listOf(Member) },
    handle: ({ tenantId, query }) => members.list(tenantId, query),
  })

  const update = route({
    method: 'patch',
    path: '/identity/members/:id',
    operationId: 'updateMember',
    summary: "Sets the roles or the profile of a member. You can't grant or remove permissions you don't hold.",
    allow: 'identity.member.update',
    body: Type.Object({ roles: Type.Optional(RoleKeys), profile: Type.Optional(MemberProfileChange) }),
    replies: { 200: Member },
    problems: [
      'entitlement_exceeded',
      memberProblems.last_owner,
      memberProblems.suspended_customer,
      common.reauthentication_required,
      common.impersonated,
    ],
    async handle({ tenantId, params: { id }, body: { roles, profile }, caller }) {
      if (profile) await profiles.updateMember(tenantId, id, profile, caller)
      return roles ? members.setRoles(tenantId, id, roles, caller) : members.get(tenantId, id)
    },
  })

  const remove = route({
    method: 'delete',
    path: '/identity/members/:id',
    operationId: 'removeMember',
    summary: 'Removes a member and the API keys they created. Members can always remove themselves.',
    allow: ['identity.member.remove', 'user'],
    replies: { 204: null },
    problems: [
      memberProblems.last_owner,
      workspaceProblems.one_workspace,
      common.reauthentication_required,
      common.impersonated,
    ],
    async handle({ tenantId, params, caller, granted }) {
      if (tenantId === undefined) throw common.tenant_required()
      const leaving = caller.kind === 'login' && params.id === caller.memberId
      if (granted === 'user' && !leaving) throw missingPermission('identity.member.remove')
      await members.remove(tenantId, params.id, caller)
    },
  })

  return [list, update, remove]
}
