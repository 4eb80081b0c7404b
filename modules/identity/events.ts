/** Payload schemas of the events that identity publishes. Payloads never contain secrets. */
import { Nullable, OneOf, Type } from 'larder/kernel'

const Id = Type.String()
const Roles = Type.Array(Type.String())
const InvitationSent = Type.Object({
  invitationId: Id,
  email: Type.String(),
  roles: Roles,
  /** Version of the link. A newer version invalidates it. */
  version: Type.Integer(),
  /** User id, also if an API key sent the invitation. */
  invitedBy: Id,
  sendEmail: Type.Boolean(),
})
const TenantNamed = Type.Object({ tenantId: Id, name: Type.String(), slug: Type.String() })

export const events = {
  'identity.user.created': Type.Object({
    userId: Id,
    email: Type.String(),
    name: Nullable(Type.String()),
    locale: Nullable(Type.String()),
  }),
  'identity.password.changed': Type.Object({ userId: Id, how: OneOf(['changed', 'reset']) }),
  'identity.email.verified': Type.Object({ userId: Id }),
  /** Access created before the address was proved has ended. The numbers say how much. */
  'identity.access.revoked': Type.Object({
    userId: Id,
    reason: OneOf(['email_verified', 'password_reset']),
    logins: Type.Integer(),
    apiKeys: Type.Integer(),
    invitations: Type.Integer(),
  }),
  'identity.tenant.created': Type.Object({ ...TenantNamed.properties, ownerId: Id }),
  'identity.tenant.updated': TenantNamed,
  'identity.tenant.deleted': Type.Object({ tenantId: Id }),
  'identity.invitation.created': InvitationSent,
  'identity.invitation.resent': InvitationSent,
  'identity.invitation.revoked': Type.Object({ invitationId: Id }),
  'identity.member.joined': Type.Object({ memberId: Id, userId: Id, roles: Roles }),
  'identity.member.removed': Type.Object({ memberId: Id, userId: Id }),
  'identity.member.roles_changed': Type.Object({ memberId: Id, userId: Id, roles: Roles, previous: Roles }),
}
