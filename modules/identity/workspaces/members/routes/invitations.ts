import { common, type Deps, LanguageOf, listOf, listQuery, OneOf, reply, route, Type } from '@larder-dev/larder/kernel'
import { Email, RoleKeys } from '../../../domain/fields.ts'
import type { WorkspaceServices } from '../../services.ts'
import { memberProblems } from '../problems.ts'
import { INVITATION_STATUSES, Invitation } from '../records/invitation.ts'

const SendEmail = Type.Optional(
  Type.Boolean({ default: true, description: 'false: no email is sent, and the response contains the link' }),
)

export function invitationRoutes({ invitations, settings, product }: Deps<'product'> & WorkspaceServices) {
  const invite = route({
    method: 'post',
    path: '/identity/members/invite',
    operationId: 'inviteMember',
    summary: 'Invites a person by email. A repeated invitation replaces the link.',
    allow: 'identity.member.invite',
    verifiedEmail: true,
    body: Type.Object({
      email: Email,
      roles: Type.Optional(RoleKeys),
      locale: Type.Optional(LanguageOf(product.locales.available, { description: 'Language of the email' })),
      sendEmail: SendEmail,
    }),
    replies: { 201: Invitation, 200: Invitation },
    problems: [
      'entitlement_exceeded',
      common.not_found,
      memberProblems.already_member,
      common.reauthentication_required,
      common.impersonated,
    ],
    async handle({ tenantId, body, caller }) {
      const { invitation, created } = await invitations.invite(
        tenantId,
        { roles: [settings.defaultRole], ...body },
        caller,
      )
      const location = `/v1/identity/invitations/${invitation.id}`
      return created ? reply(201, invitation, { location }) : reply(200, invitation)
    },
  })

  const list = route({
    method: 'get',
    path: '/identity/invitations',
    operationId: 'listInvitations',
    summary: 'Lists invitations, newest first.',
    allow: 'identity.invitation.read',
    query: listQuery({ 'filter[status]': Type.Optional(OneOf(INVITATION_STATUSES)) }),
    replies: { 200: listOf(Invitation) },
    handle: ({ tenantId, query }) => invitations.list(tenantId, query),
  })

  const revoke = route({
    method: 'delete',
    path: '/identity/invitations/:id',
    operationId: 'revokeInvitation',
    summary: 'Revokes an invitation and its link.',
    allow: 'identity.invitation.revoke',
    replies: { 204: null },
    problems: [memberProblems.invitation_closed],
    handle: ({ tenantId, params, caller }) => invitations.revoke(tenantId, params.id, caller),
  })

  const resend = route({
    method: 'post',
    path: '/identity/invitations/:id/resend',
    operationId: 'resendInvitation',
    summary: 'Sends an invitation again with a new link and a new expiry.',
    allow: 'identity.invitation.create',
    verifiedEmail: true,
    body: Type.Object({ sendEmail: SendEmail }),
    replies: { 200: Invitation },
    problems: [memberProblems.invitation_closed, common.reauthentication_required, common.impersonated],
    handle: ({ tenantId, params, body, caller }) =>
      invitations.resend(tenantId, params.id, body.sendEmail ?? true, caller),
  })

  return [invite, list, revoke, resend]
}
