import { idPattern, Nullable, named, type Static, Timestamp, Type } from 'larder/kernel'

export const User = named(
  'User',
  Type.Object({
    id: Type.String({ pattern: idPattern('usr') }),
    email: Type.String(),
    name: Nullable(Type.String()),
    locale: Nullable(Type.String()),
    emailVerified: Type.Boolean(),
    createdAt: Timestamp,
    updatedAt: Timestamp,
  }),
)
export type User = Static<typeof User>

/** Access that ended because the owner of the address proved it. */
export const EndedAccess = named(
  'EndedAccess',
  Type.Object({
    logins: Type.Integer(),
    apiKeys: Type.Integer(),
    invitations: Type.Integer({ description: 'Pending invitations that were revoked' }),
  }),
)

export const Login = named(
  'Login',
  Type.Object({
    id: Type.String({ pattern: idPattern('lgn') }),
    current: Type.Boolean(),
    userAgent: Nullable(Type.String()),
    ip: Nullable(Type.String()),
    createdAt: Timestamp,
    expiresAt: Timestamp,
  }),
)
export type Login = Static<typeof Login>
