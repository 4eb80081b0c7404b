import {
  idPattern,
  Nullable,
  named,
  type RecordOf,
  type Static,
  Timestamp,
  Type,
  table,
  Writable,
} from '@larder-dev/larder/kernel'
import { Name, TimeZone } from '../../domain/fields.ts'
import { ProfileValues } from './profile.ts'

export const User = named(
  'User',
  Type.Object({
    id: Type.String({ pattern: idPattern('usr') }),
    email: Type.String(),
    name: Writable(Nullable(Type.String()), Type.Optional(Nullable(Name))),
    locale: Nullable(Type.String()),
    timeZone: Writable(
      Nullable(Type.String({ description: 'IANA name; null: UTC, or that of the browser' })),
      Type.Optional(Nullable(TimeZone)),
    ),
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
