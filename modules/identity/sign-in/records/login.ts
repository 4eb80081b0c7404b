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
import { Impersonation } from './impersonation.ts'

/** The new login of a caller whose former login has ended. */
export const NewLogin = named(
  'NewLogin',
  Type.Object({
    token: Nullable(Type.String({ description: 'null for a caller who sent the cookie' })),
    expiresIn: Type.Integer({ description: 'Seconds' }),
  }),
)

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
