/** What a person exports of their account. */
import { Nullable, named, type Static, Timestamp, Type } from '@larder-dev/larder/kernel'
import { TrustedDevice } from '../../sign-in/second-factor/records.ts'
import { MembershipWithTenant } from '../../workspaces/records.ts'
import { User } from './account.ts'
import { Profile } from './profile.ts'

const Text = Type.String()
const InTenant = { id: Text, tenantId: Text, createdAt: Timestamp }
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
const ExportedSignInMethod = named(
  'ExportedSignInMethod',
  Type.Object({
    id: Text,
    method: Text,
    label: Nullable(Text),
    email: Nullable(Text),
    createdAt: Timestamp,
    lastUsedAt: Nullable(Timestamp),
  }),
)
const ExportedApiKey = named(
  'ExportedApiKey',
  Type.Object({
    ...InTenant,
    name: Text,
    prefix: Text,
    permissions: Nullable(Type.Array(Text)),
    expiresAt: Nullable(Timestamp),
    lastUsedAt: Nullable(Timestamp),
  }),
)
const ExportedInvitation = named(
  'ExportedInvitation',
  Type.Object({ ...InTenant, email: Text, roles: Type.Array(Text), status: Text }),
)
const ExportedAuditEntry = named(
  'ExportedAuditEntry',
  Type.Object({
    ...InTenant,
    action: Text,
    subject: Nullable(Text),
    details: Type.Record(Type.String(), Type.Unknown()),
  }),
)
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
