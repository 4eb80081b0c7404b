import { common, Nullable, named, reply, route, Type } from '@larder-dev/larder/kernel'
import { LinkToken } from '../../domain/fields.ts'
import { VerifiedEmail } from '../../users/records/account.ts'
import { memberProblems } from '../../workspaces/members/problems.ts'
import { Membership, Tenant } from '../../workspaces/records.ts'
import { planHolderOf } from '../../workspaces/tenant-record.ts'
import type { SignInServices } from '../services.ts'
import { secretReplies } from './signed-in.ts'

const AcceptedInvitation = named(
  'AcceptedInvitation',
  Type.Object({
    tenant: Tenant,
    membership: Membership,
    verified: Nullable(VerifiedEmail),
  }),
)
export function acceptanceRoutes({ acceptance, cookies, settings, tenants }: SignInServices) {
  const accept = route({
    method: 'post',
    path: '/identity/invitations/accept',
    operationId: 'acceptInvitation',
    summary: 'Accepts an invitation and joins its workspace. Idempotent.',
    description:
      'An invitation that was mailed to the address also verifies it. `verified` is null if it was verified before. The login and all other access stay.',
    allow: 'user',
    apiKeys: false,
    // The workspace that invites is not the one of the request.
    ...secretReplies,
    foreignTenant: true,
    body: Type.Object({ token: LinkToken }),
    replies: { 200: AcceptedInvitation },
    problems: [
      'entitlement_exceeded',
      common.not_found,
      common.not_a_member,
      memberProblems.email_mismatch,
      memberProblems.invitation_expired,
      memberProblems.invitation_revoked,
      memberProblems.invitation_used,
    ],
    async handle({ body, caller, tenantId, request }) {
      const header = request.headers['x-tenant-id']
      const requested = tenantId === undefined && typeof header === 'string' && header !== '' ? header : undefined
      const accepted = await acceptance.accept(body.token, caller, requested)
      const tenant = await tenants.withPlan(accepted.tenant, planHolderOf(settings, accepted.membership))
      const { membership, verified } = accepted
      return reply(200, { tenant, membership, verified }, cookies.inTenant(tenant.id))
    },
  })

  return [accept]
}
