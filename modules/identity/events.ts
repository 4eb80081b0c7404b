/** Payload schemas of the events that identity publishes. Payloads never contain secrets. */
import { internalProperty, Nullable, named, OneOf, publicEvent, Type } from '@larder-dev/larder/kernel'

const Id = Type.String()
const Roles = Type.Array(Type.String())
const InvitationSent = named(
  'InvitationEventData',
  Type.Object({
    invitationId: Id,
    email: Type.String(),
    roles: Roles,
    /** Version of the link. A newer version invalidates it. */
    version: internalProperty(Type.Integer()),
    /** User id, also if an API key sent the invitation. */
    invitedBy: Id,
    sendEmail: internalProperty(Type.Boolean()),
  }),
)
const TenantNamed = Type.Object({ tenantId: Id, name: Type.String(), slug: Type.String() })
const TenantAccessChanged = named('TenantAccessEventData', Type.Object({ tenantId: Id, reason: Type.String() }))
const CustomerAccessChanged = named(
  'CustomerAccessEventData',
  Type.Object({ memberId: Id, userId: Id, reason: Type.String() }),
)
const SignInMethodChanged = named(
  'SignInMethodEventData',
  Type.Object({ userId: Id, method: Type.String(), label: Type.String() }),
)
const SsoDomainChanged = named('SsoDomainEventData', Type.Object({ domainId: Id, domain: Type.String() }))

const OfUser = Type.Object({ userId: Id })

export const events = {
  'identity.user.created': publicEvent(
    'A user registered.',
    Type.Object({
      userId: Id,
      email: Type.String(),
      name: Nullable(Type.String()),
      locale: Nullable(Type.String()),
    }),
  ),
  'identity.password.changed': publicEvent(
    'A user changed or reset their password.',
    Type.Object({ userId: Id, how: OneOf(['changed', 'reset']) }),
  ),
  'identity.sign_in_method.added': publicEvent('A user added a way to sign in.', SignInMethodChanged),
  'identity.sign_in_method.removed': publicEvent('A user removed a way to sign in.', SignInMethodChanged),
  'identity.login.new_device': publicEvent(
    'A user signed in with a device that they had not used before.',
    Type.Object({ userId: Id, loginId: Id }),
  ),
  'identity.second_factor.enabled': publicEvent('A user set up an authenticator app.', OfUser),
  'identity.second_factor.removed': publicEvent("A user's authenticator app was removed.", OfUser),
  'identity.recovery_codes.replaced': publicEvent('A user replaced their recovery codes.', OfUser),
  'identity.recovery_code.used': publicEvent(
    'A user signed in with a recovery code.',
    Type.Object({ userId: Id, remaining: Type.Integer({ description: 'Codes that are left' }) }),
  ),
  'identity.email.verified': publicEvent('A user confirmed their email address.', Type.Object({ userId: Id })),
  /** Access created before the address was proved. The numbers are what has ended. */
  'identity.access.revoked': publicEvent(
    'Access from before the address was confirmed has ended.',
    Type.Object({
      userId: Id,
      reason: OneOf(['email_verified', 'password_reset']),
      logins: Type.Integer(),
      apiKeys: Type.Integer(),
      invitations: Type.Integer(),
    }),
  ),
  'identity.email.changed': publicEvent(
    'A user changed their email address, and both addresses confirmed it.',
    Type.Object({ userId: Id }),
  ),
  'identity.user.deleted': publicEvent('A user deleted their account.', Type.Object({ userId: Id })),
  'identity.sso.changed': publicEvent(
    'The single sign-on of the workspace changed, or was removed.',
    Type.Object({ issuer: Type.String(), enabled: Type.Boolean(), required: Type.Boolean() }),
  ),
  'identity.sso_domain.verified': publicEvent('The workspace verified an email domain.', SsoDomainChanged),
  'identity.sso_domain.record_missing': publicEvent(
    'The DNS record of a verified email domain is missing.',
    Type.Object({
      ...SsoDomainChanged.properties,
      lapsesAt: Type.String({
        description: 'RFC 3339. The domain is no longer verified then if the record stays away',
      }),
    }),
  ),
  'identity.sso_domain.lapsed': publicEvent(
    'The DNS record of an email domain was missing for 7 days, so the domain is no longer verified.',
    SsoDomainChanged,
  ),
  'identity.tenant.created': publicEvent(
    'A workspace was created.',
    Type.Object({ ...TenantNamed.properties, ownerId: Id }),
  ),
  'identity.tenant.updated': publicEvent('The name or slug of a workspace changed.', TenantNamed),
  'identity.tenant.deleted': publicEvent('A workspace was deleted.', Type.Object({ tenantId: Id })),
  'identity.tenant.suspended': publicEvent('An operator suspended a workspace.', TenantAccessChanged),
  'identity.tenant.resumed': publicEvent('An operator resumed a workspace.', TenantAccessChanged),
  'identity.customer.suspended': publicEvent('An operator suspended a customer.', CustomerAccessChanged),
  'identity.customer.reinstated': publicEvent('An operator reinstated a customer.', CustomerAccessChanged),
  'identity.invitation.created': publicEvent('A person was invited to the workspace.', InvitationSent),
  'identity.invitation.resent': publicEvent('An invitation was sent again.', InvitationSent),
  'identity.invitation.revoked': publicEvent('An invitation was revoked.', Type.Object({ invitationId: Id })),
  'identity.member.joined': publicEvent(
    'A person joined the workspace.',
    Type.Object({ memberId: Id, userId: Id, roles: Roles }),
  ),
  'identity.member.removed': publicEvent(
    'A member left the workspace or was removed from it.',
    Type.Object({ memberId: Id, userId: Id }),
  ),
  'identity.member.roles_changed': publicEvent(
    'The roles of a member changed.',
    Type.Object({ memberId: Id, userId: Id, roles: Roles, previous: Roles }),
  ),
}
