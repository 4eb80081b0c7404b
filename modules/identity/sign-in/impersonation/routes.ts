/** Operators act as a user of the installation. */
import { common, idPattern, Nullable, named, reply, route, Timestamp, Type } from '@larder-dev/larder/kernel'
import { LOGIN_COOKIE, readCookie } from '@larder-dev/larder/kernel/internal'
import { ownCookieIn } from '../../domain/cookies.ts'
import { Reason } from '../../domain/fields.ts'
import { impersonationLimits } from '../../domain/rate-limits.ts'
import { RECENT_AUTH } from '../../domain/recent-proof.ts'
import type { SignInServices } from '../services.ts'
import { impersonationProblems } from './problems.ts'

const StartedImpersonation = named(
  'StartedImpersonation',
  Type.Object({
    token: Nullable(Type.String({ description: 'Dashboard token; null for a caller who sent the cookie' })),
    tenantId: Type.String(),
    expiresAt: Timestamp,
  }),
)

export function impersonationRoutes({ impersonations, cookies }: SignInServices) {
  const start = route({
    method: 'post',
    path: '/identity/admin/users/:id/impersonation',
    operationId: 'startImpersonation',
    summary:
      'Starts a login of 30 minutes with which the caller acts as a user in a workspace. Recorded in the audit log.',
    description:
      'Replaces an earlier impersonation of the caller. It has the permissions of the user in this workspace, without API keys and the deletion of the workspace, and cannot change the account.',
    allow: 'identity.user.impersonate',
    apiKeys: false,
    recentAuth: RECENT_AUTH,
    // A login belongs to no workspace.
    unit: 'own',
    idempotent: false,
    body: Type.Object(
      {
        tenantId: Type.String({ pattern: idPattern('ten'), description: 'A workspace of the user' }),
        reason: Reason,
      },
      { examples: [{ tenantId: 'ten_01k00000000000000000000000', reason: 'Ticket 4711: an import fails' }] },
    ),
    replies: { 201: StartedImpersonation },
    problems: [common.not_found, impersonationProblems.impersonation_off, impersonationProblems.operator_account],
    limits: impersonationLimits,
    async handle({ params, body, caller, request }) {
      const started = await impersonations.start({ userId: params.id, ...body }, caller, request)
      const { cookie, token, tenantId, expiresAt } = started
      const own = readCookie(request.headers.cookie, LOGIN_COOKIE)
      const headers = cookie !== null && own !== undefined ? cookies.impersonating({ cookie, tenantId }, own) : {}
      return reply(201, { token, tenantId, expiresAt }, headers)
    },
  })

  const end = route({
    method: 'post',
    path: '/auth/impersonation/end',
    operationId: 'endImpersonation',
    summary: "Ends the impersonation, and restores the operator's own login in a browser. Also succeeds without one.",
    allow: ['user', 'public'],
    apiKeys: false,
    // A login belongs to no workspace.
    unit: 'own',
    idempotent: false,
    replies: { 204: null },
    async handle({ caller, request }) {
      if (caller && caller.impersonatedBy === undefined) return reply(204)
      if (caller) await impersonations.end(caller)
      const isBrowser = caller ? caller.credential === 'cookie' : ownCookieIn(request.headers.cookie) !== undefined
      return reply(204, undefined, isBrowser ? cookies.impersonationEnded(ownCookieIn(request.headers.cookie)) : {})
    },
  })

  return [start, end]
}
