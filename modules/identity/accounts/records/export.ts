/** What a person exports of their account. */
import { Nullable, named, type Static, Timestamp, Type, without } from '@larder-dev/larder/kernel'
import { auditFields } from '../../audit/records.ts'
import { identityFields } from '../../sign-in/records/sign-in.ts'
import { TrustedDevice } from '../../sign-in/second-factor/records.ts'
import { User } from '../../users/records/account.ts'
import { Profile } from '../../users/records/profile.ts'
import { apiKeyFields } from '../../workspaces/keys/records.ts'
import { invitationFields } from '../../workspaces/members/records/invitation.ts'
import { MembershipWithTenant } from '../../workspaces/records.ts'

const Text = Type.String()
const InTenant = { tenantId: Text }
const ExportedLogin = named(
  'ExportedLogin',
  Type.Object({
    id: Text,
    userAgent: Nullable(Text),
    ip: Nullable(Text),
    createdAt: Timestamp,
    lastUsedAt: Timestamp,
    expiresAt: Timestamp,
  }),
)
/** What an export leaves out of the records that it has. */
export const exportedSignInMethod = without(identityFields, ['userId', 'provider', 'subject'])
export const exportedApiKey = without({ ...apiKeyFields, ...InTenant }, ['createdBy', 'updatedAt'])
export const exportedInvitation = without({ ...invitationFields, ...InTenant }, [
  'locale',
  'invitedBy',
  'expiresAt',
  'acceptedAt',
  'updatedAt',
])
export const exportedAuditEntry = without({ ...auditFields, details: Type.Record(Type.String(), Type.Unknown()) }, [
  'actor',
])
const ExportedSignInMethod = named('ExportedSignInMethod', Type.Object(exportedSignInMethod))
const ExportedApiKey = named('ExportedApiKey', Type.Object(exportedApiKey))
const ExportedInvitation = named('ExportedInvitation', Type.Object(exportedInvitation))
const ExportedAuditEntry = named('ExportedAuditEntry', Type.Object(exportedAuditEntry))
const ExportedMemberProfile = named('ExportedMemberProfile', Type.Object({ tenantId: Text, profile: Profile }))
const ExportedTenantData = named(
  'ExportedTenantData',
  Type.Object(
    {
      tenantId: Type.String(),
      modules: Type.Record(
        Type.String(),
        Type.Record(Type.String(), Type.Array(Type.Record(Type.String(), Type.Unknown()))),
        {
          description:
            'Module → list → up to 10,000 records with 10 MiB of text, newest first. Empty lists are left out',
        },
      ),
    },
    {
      examples: [
        {
          tenantId: 'ten_01k00000000000000000000000',
          modules: { messaging: { messages: [{ id: 'msg_01k00000000000000000000000', body: 'Hello' }] } },
        },
      ],
    },
  ),
)
export const AccountExport = named(
  'AccountExport',
  Type.Object({
    exportedAt: Timestamp,
    user: User,
    profile: Profile,
    memberProfiles: Type.Array(ExportedMemberProfile),
    memberships: Type.Array(MembershipWithTenant),
    logins: Type.Array(ExportedLogin),
    trustedDevices: Type.Array(TrustedDevice),
    signInMethods: Type.Array(ExportedSignInMethod),
    apiKeys: Type.Array(ExportedApiKey),
    invitations: Type.Array(ExportedInvitation),
    auditEntries: Type.Array(ExportedAuditEntry),
    data: Type.Array(ExportedTenantData, {
      description: "What modules keep about the person, by workspace. Includes the operator's workspace",
    }),
  }),
)
export type AccountExport = Static<typeof AccountExport>
