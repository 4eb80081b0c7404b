import {
  Bytes,
  idPattern,
  Nullable,
  named,
  type RecordOf,
  type Static,
  Timestamp,
  Type,
  table,
} from '@larder-dev/larder/kernel'
import { Profile, ProfileValues } from './profile.ts'
import { MembershipWithTenant } from './tenant.ts'

export const User = named(
  'User',
  Type.Object({
    id: Type.String({ pattern: idPattern('usr') }),
    email: Type.String(),
    name: Nullable(Type.String()),
    locale: Nullable(Type.String()),
    timeZone: Nullable(Type.String({ description: 'IANA name; null: UTC, or that of the browser' })),
    emailVerified: Type.Boolean(),
    createdAt: Timestamp,
    updatedAt: Timestamp,
  }),
)
export type User = Static<typeof User>

const { emailVerified: _derived, ...userFields } = User.properties
const emailVerifiedAt = Nullable(Timestamp)
export const userTable = table('identity_users', Type.Object({ ...userFields, emailVerifiedAt }), {
  what: 'user',
  hidden: {
    emailKey: Type.String(),
    passwordHash: Nullable(Type.String()),
    passwordVersion: Type.Integer(),
    profile: ProfileValues,
  },
})
export type StoredUser = RecordOf<typeof userTable>

/** The fields of a user that signing in and changes of the account need. */
export const accountTable = table(
  'identity_users',
  Type.Object({
    id: Type.String(),
    email: Type.String(),
    name: userFields.name,
    locale: userFields.locale,
    emailVerifiedAt,
    /** Null for a user who signs in without a password. */
    passwordHash: Nullable(Type.String()),
    /** A newer version invalidates reset links and sign-ins in progress. */
    passwordVersion: Type.Integer(),
  }),
  { what: 'user', hidden: { emailKey: Type.String(), updatedAt: Timestamp } },
)
export type StoredAccount = RecordOf<typeof accountTable>

/** Access that ended because the owner of the address proved it. */
export const EndedAccess = named(
  'EndedAccess',
  Type.Object({
    logins: Type.Integer(),
    apiKeys: Type.Integer(),
    invitations: Type.Integer({ description: 'Pending invitations that were revoked' }),
  }),
)

/** The new login of a caller whose former login has ended. */
export const NewLogin = named(
  'NewLogin',
  Type.Object({
    token: Nullable(Type.String({ description: 'null for a caller who sent the cookie' })),
    expiresIn: Type.Integer({ description: 'Seconds' }),
  }),
)

/** What the first proof of an address has changed. */
export const VerifiedEmail = named('VerifiedEmail', Type.Object({ ended: EndedAccess }))

export const EmailChange = named(
  'EmailChange',
  Type.Object({
    email: Type.String({ description: 'The new address' }),
    currentConfirmed: Type.Boolean(),
    newConfirmed: Type.Boolean(),
    expiresAt: Timestamp,
  }),
)
export type EmailChange = Static<typeof EmailChange>

export const emailChangeTable = table(
  'identity_email_changes',
  Type.Object({
    id: Type.String(),
    userId: Type.String(),
    email: Type.String(),
    currentConfirmedAt: Nullable(Timestamp),
    newConfirmedAt: Nullable(Timestamp),
    expiresAt: Timestamp,
  }),
  { what: 'change of the email address', hidden: { emailKey: Type.String() } },
)
export type StoredEmailChange = RecordOf<typeof emailChangeTable>

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
export const TrustedDevice = named(
  'TrustedDevice',
  Type.Object({
    id: Type.String(),
    device: Type.String({ description: 'Browser and operating system' }),
    createdAt: Timestamp,
    expiresAt: Timestamp,
  }),
)
export type TrustedDevice = Static<typeof TrustedDevice>

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

export const Impersonation = named(
  'Impersonation',
  Type.Object({
    by: named(
      'ImpersonationOperator',
      Type.Object({ id: Type.String(), email: Type.String(), name: Nullable(Type.String()) }),
    ),
    reason: Type.String(),
    expiresAt: Timestamp,
  }),
)
export type Impersonation = Static<typeof Impersonation>

export const Login = named(
  'Login',
  Type.Object({
    id: Type.String({ pattern: idPattern('lgn') }),
    current: Type.Boolean(),
    impersonation: Nullable(Impersonation),
    device: Type.String({ description: 'Browser and system, from `userAgent`: `Firefox, Linux`. Empty if unknown' }),
    lastUsedAt: Type.Unsafe<string>({ ...Timestamp, description: 'Recorded once an hour' }),
    userAgent: Nullable(Type.String()),
    ip: Nullable(Type.String()),
    createdAt: Timestamp,
    expiresAt: Timestamp,
  }),
)
export type Login = Static<typeof Login>

const optional = Nullable(Type.String())
export const loginTable = table(
  'identity_logins',
  Type.Object({
    id: Type.String(),
    userAgent: optional,
    ip: optional,
    createdAt: Timestamp,
    extendedAt: Timestamp,
    expiresAt: Timestamp,
  }),
  {
    what: 'login',
    hidden: {
      userId: Type.String(),
      cookieHash: Nullable(Bytes),
      tokenHash: Nullable(Bytes),
      impersonatorId: optional,
      impersonatorLoginId: optional,
      impersonatedTenantId: optional,
      impersonationReason: optional,
    },
  },
)
export type StoredLogin = RecordOf<typeof loginTable>
