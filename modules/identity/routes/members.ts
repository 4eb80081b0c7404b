import { common, type Deps, listOf, listQuery, route, Type } from 'larder/kernel'
import { lacks, problems } from '../problems.ts'
import { Member, RoleKeys } from '../schemas.ts'

export function memberRoutes({ identity }: Deps<'identity'>) {
  const { members } = identity

  const list = route({
    method: 'get',
    path: '/identity/members',
    summary: 'The members of the workspace.',
    allow: 'identity.member.read',
    query: listQuery({
      'filter[role]': Type.Optional(Type.String({ maxLength: 64 })),
      'filter[email]': Type.Optional(Type.String({ maxLength: 254 })),
    }),
    replies: { 200: listOf(Member) },
    handle: ({ tenantId, query }) => members.list(tenantId, query),
  })

  const update = route({
    method: 'patch',
    path: '/identity/members/:id',
    summary: 'Sets the roles of a member; only such as the caller covers can be given or taken.',
    allow: 'identity.member.update',
    body: Type.Object({ roles: RoleKeys }),
    replies: { 200: Member },
    problems: [problems.last_owner],
    handle: ({ tenantId, params, body, caller }) => members.setRoles(tenantId, params.id, body.roles, caller),
  })

  const remove = route({
    method: 'delete',
    path: '/identity/members/:id',
    summary: 'Removes a member, and with them the API keys they made. Anybody may leave by themselves.',
    allow: ['identity.member.remove', 'user'],
    replies: { 204: null },
    problems: [problems.last_owner],
    async handle({ tenantId, params, caller, granted }) {
      if (tenantId === undefined) throw common.tenant_required()
      const leaving = caller.kind === 'login' && params.id === caller.memberId
      if (granted === 'user' && !leaving) throw lacks('identity.member.remove')
      await members.remove(tenantId, params.id, caller)
    },
  })

  return [list, update, remove]
}
