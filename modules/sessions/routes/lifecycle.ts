import { type Caller, common, type Deps, type RequestFacts, route, Type } from 'larder/kernel'
import { problems } from '../problems.ts'
import { JoinToken, SessionRecord, TokenReply } from './schemas.ts'

export const lifeRoutes = ({ sessions }: Deps<'sessions'>) => [
  route({
    method: 'post',
    path: '/sessions/:id/accept',
    allow: ['sessions.session.accept', 'joinToken'],
    summary: 'Confirms that the session goes ahead: by a caller of its workspace, or by its join token, which wins.',
    body: Type.Object({ join_token: Type.Optional(JoinToken) }),
    replies: { 200: SessionRecord },
    problems: [common.invalid_state, problems.invalid_join_token, problems.token_session_mismatch],
    unit: 'own',
    async handle({ params: { id }, body: { join_token: token }, caller, tenantId, granted, request }) {
      if (token !== undefined) return sessions.acceptByToken(id, token)
      if (granted === 'joinToken' || tenantId === undefined) throw whyNot(caller, request)
      return sessions.accept(tenantId, id)
    },
  }),
  route({
    method: 'post',
    path: '/sessions/:id/end',
    allow: 'sessions.session.end',
    summary: 'Ends a session on purpose.',
    replies: { 200: SessionRecord },
    problems: [common.invalid_state],
    handle: ({ params, tenantId }) => sessions.end(tenantId, params.id),
  }),
  route({
    method: 'post',
    path: '/sessions/:id/token/rotate',
    allow: 'sessions.session.end',
    summary: 'Makes a new join token; the old one opens nothing from here on.',
    replies: { 200: TokenReply },
    problems: [common.invalid_state],
    handle: ({ params, tenantId }) => sessions.rotateToken(tenantId, params.id),
  }),
]

/** Without a token the route is as closed as any other, and says why in the same words. */
function whyNot(caller: Caller | undefined, { headers }: RequestFacts) {
  const permission = 'sessions.session.accept'
  if (!caller) return common.unauthenticated()
  if (caller.tenantId !== undefined) return common.forbidden({ permission }, { requiredPermission: permission })
  return headers['x-tenant-id'] ? common.not_a_member() : common.tenant_required()
}
