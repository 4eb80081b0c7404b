import {
  type Caller,
  common,
  missingPermission,
  named,
  type RequestFacts,
  route,
  Type,
} from '@larder-dev/larder/kernel'
import { problems } from '../problems.ts'
import { JoinToken, SessionRecord } from '../records.ts'
import type { SessionTransitions } from '../services/session-transitions.ts'

const TokenReply = named(
  'RotatedJoinToken',
  Type.Object({
    id: Type.String(),
    join_token: Type.String({ description: 'Shown only in this response' }),
  }),
)

export const lifecycleRoutes = ({ transitions }: { readonly transitions: SessionTransitions }) => [
  route({
    method: 'post',
    path: '/sessions/:id/accept',
    operationId: 'acceptSession',
    allow: ['sessions.session.accept', 'joinToken'],
    summary:
      'Accepts a session, on behalf of a member of its workspace or with its join token. The token takes precedence.',
    body: Type.Object({ join_token: Type.Optional(JoinToken) }),
    replies: { 200: SessionRecord },
    problems: [common.invalid_state, common.not_a_member, problems.invalid_join_token, problems.token_session_mismatch],
    // A join token is found across workspaces, before its own is known.
    unit: 'own',
    async handle({ params: { id }, body: { join_token: token }, caller, tenantId, granted, request }) {
      if (token !== undefined) return transitions.acceptByToken(id, token)
      if (granted === 'joinToken' || tenantId === undefined) throw authorizationError(caller, request)
      return transitions.accept(tenantId, id)
    },
  }),
  route({
    method: 'post',
    path: '/sessions/:id/end',
    operationId: 'endSession',
    allow: 'sessions.session.end',
    summary: 'Ends a session.',
    replies: { 200: SessionRecord },
    problems: [common.invalid_state],
    handle: ({ params, tenantId }) => transitions.end(tenantId, params.id),
  }),
  route({
    method: 'post',
    path: '/sessions/:id/token/rotate',
    operationId: 'rotateJoinToken',
    // A token outlasts the impersonation.
    impersonation: false,
    allow: 'sessions.session.end',
    summary: 'Creates a new join token and invalidates the previous one.',
    replies: { 200: TokenReply },
    problems: [common.invalid_state],
    handle: ({ params, tenantId }) => transitions.rotateToken(tenantId, params.id),
  }),
]

/** A request without a join token gets the same errors as on routes that require the permission. */
function authorizationError(caller: Caller | undefined, { headers }: RequestFacts) {
  const permission = 'sessions.session.accept'
  if (!caller) return common.unauthenticated()
  if (caller.tenantId !== undefined) return missingPermission(permission)
  return headers['x-tenant-id'] ? common.not_a_member() : common.tenant_required()
}
