/** Records as they stand in bodies and answers. */
import { idPattern, Nullable, OneOf, PERMISSION_PATTERN, type Static, Timestamp, Type } from 'larder/kernel'
import { SLUG_PATTERN } from './domain/slug.ts'

/** As mail servers take it: 64 characters before the @, 63 in each part of the host (RFC 5321, 1035). */
export const Email = Type.String({
  format: 'email',
  maxLength: 254,
  pattern: '^[^@]{1,64}@(?:[^.]{1,63}(?:\\.|$))+$',
})
export const Name = Type.String({ minLength: 1, maxLength: 120, pattern: '\\S' })
export const Slug = Type.String({ minLength: 1, maxLength: 64, pattern: SLUG_PATTERN })
/** Refuses nothing that may once have been a password: length rules are for new ones. */
export const KnownPassword = Type.String({ minLength: 1, maxLength: 128 })
export const NewPassword = (minLength: number) => Type.String({ minLength, maxLength: 128 })
export const LinkToken = Type.String({ minLength: 1, maxLength: 128, description: 'token of the link in the mail' })

const RoleKey = Type.String({ minLength: 1, maxLength: 64 })
export const RoleKeys = Type.Array(RoleKey, { minItems: 1, maxItems: 20, uniqueItems: true })
export const NewRoleKey = Type.String({ maxLength: 64, pattern: '^[a-z][a-z0-9_]*(\\.[a-z][a-z0-9_]*)+$' })
export const Permissions = Type.Array(Type.String({ maxLength: 100, pattern: PERMISSION_PATTERN }), {
  maxItems: 200,
  uniqueItems: true,
})

export const User = Type.Object({
  id: Type.String({ pattern: idPattern('usr') }),
  email: Type.String(),
  name: Nullable(Type.String()),
  locale: Nullable(Type.String()),
  emailVerified: Type.Boolean(),
  createdAt: Timestamp,
  updatedAt: Timestamp,
})
export type User = Static<typeof User>

export const Tenant = Type.Object({
  id: Type.String({ pattern: idPattern('ten') }),
  name: Type.String(),
  slug: Type.String(),
  planKey: Nullable(Type.String()),
  createdAt: Timestamp,
  updatedAt: Timestamp,
})
export type Tenant = Static<typeof Tenant>

export const Member = Type.Object({
  id: Type.String({ pattern: idPattern('mem') }),
  userId: Type.String(),
  email: Type.String(),
  name: Nullable(Type.String()),
  roles: Type.Array(Type.String()),
  createdAt: Timestamp,
  updatedAt: Timestamp,
})
export type Member = Static<typeof Member>

/** A person's place in a tenant, as the person sees it. */
export const Membership = Type.Object({
  id: Type.String(),
  tenantId: Type.String(),
  userId: Type.String(),
  roles: Type.Array(Type.String()),
  createdAt: Timestamp,
})
export type Membership = Static<typeof Membership>

export const MembershipOfTenant = Type.Object({ ...Membership.properties, tenant: Tenant })
export type MembershipOfTenant = Static<typeof MembershipOfTenant>

export const INVITATION_STATES = ['pending', 'accepted', 'revoked', 'expired'] as const
export const Invitation = Type.Object({
  id: Type.String({ pattern: idPattern('inv') }),
  email: Type.String(),
  roles: Type.Array(Type.String()),
  status: OneOf(INVITATION_STATES),
  invitedBy: Type.String(),
  expiresAt: Timestamp,
  acceptedAt: Nullable(Timestamp),
  createdAt: Timestamp,
  updatedAt: Timestamp,
  link: Type.Optional(Type.String({ description: 'Only with sendEmail: false, and only once' })),
})
export type Invitation = Static<typeof Invitation>

export const Role = Type.Object({
  key: Type.String(),
  name: Type.String(),
  scope: OneOf(['tenant', 'platform']),
  permissions: Type.Array(Type.String()),
  builtIn: Type.Boolean(),
})
export type Role = Static<typeof Role>

export const ApiKey = Type.Object({
  id: Type.String({ pattern: idPattern('key') }),
  name: Type.String(),
  prefix: Type.String({ description: 'How the key begins' }),
  permissions: Nullable(Type.Array(Type.String(), { description: 'Null: all that its creator may' })),
  createdBy: Type.String(),
  expiresAt: Nullable(Timestamp),
  lastUsedAt: Nullable(Timestamp),
  createdAt: Timestamp,
  updatedAt: Timestamp,
  key: Type.Optional(Type.String({ description: 'The key itself, only when it is made' })),
})
export type ApiKey = Static<typeof ApiKey>

export const Login = Type.Object({
  id: Type.String({ pattern: idPattern('lgn') }),
  current: Type.Boolean(),
  userAgent: Nullable(Type.String()),
  ip: Nullable(Type.String()),
  createdAt: Timestamp,
  expiresAt: Timestamp,
})
export type Login = Static<typeof Login>

export const AuditEntry = Type.Object({
  id: Type.String({ pattern: idPattern('aud') }),
  action: Type.String(),
  actor: Type.Object({
    kind: OneOf(['login', 'apiKey', 'system']),
    id: Type.String(),
    userId: Nullable(Type.String()),
  }),
  subject: Nullable(Type.String()),
  details: Type.Record(Type.String(), Type.Unknown()),
  createdAt: Timestamp,
})
export type AuditEntry = Static<typeof AuditEntry>
