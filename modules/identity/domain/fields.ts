/** Schemas of the fields that request bodies and forms share. */
import { CodeOf, NameOf, Type } from '@larder-dev/larder/kernel'
import { PERMISSION_PATTERN, VISIBLE_KEYWORD } from '@larder-dev/larder/kernel/internal'
import { SLUG_PATTERN } from './slug.ts'

/** Limits of mail servers: 64 characters before the @, 63 in each label of the domain (RFC 5321, RFC 1035). */
export const Email = Type.String({
  format: 'email',
  maxLength: 254,
  pattern: '^[^@]{1,64}@(?:[^.]{1,63}(?:\\.|$))+$',
})
/** The name of a person or workspace. It can't contain links, because invitations carry it to strangers. */
export const Name = NameOf(120, 'plain')
/** The name that a user gives to a way to sign in: `Laptop`. */
export const WayLabel = NameOf(60, 'plain')
export const Slug = Type.String({ minLength: 1, maxLength: 64, pattern: SLUG_PATTERN })
/** An existing password. Accepts any length that was ever allowed. */
export const KnownPassword = Type.String({ minLength: 1, maxLength: 128 })
export const NewPassword = (minLength: number) => Type.String({ minLength, maxLength: 128 })
/** Why an operator acts as a user: 10 characters or more without surrounding spaces. */
export const Reason = Type.String({
  minLength: 10,
  maxLength: 500,
  pattern: '\\S[\\s\\S]{8,}\\S',
  [VISIBLE_KEYWORD]: true,
})
export const LinkToken = Type.String({ minLength: 1, maxLength: 128, description: 'Token from the link in the email' })
export const ClaimCode = CodeOf({ minLength: 1, maxLength: 64 })
export const TimeZone = Type.String({
  minLength: 1,
  maxLength: 64,
  description: 'IANA name, for example Europe/Berlin',
})

const RoleKey = Type.String({ minLength: 1, maxLength: 64 })
export const RoleKeys = Type.Array(RoleKey, { minItems: 1, maxItems: 20, uniqueItems: true })
export const NewRoleKey = Type.String({ maxLength: 64, pattern: '^[a-z][a-z0-9_]*(\\.[a-z][a-z0-9_]*)+$' })
export const Permissions = Type.Array(Type.String({ maxLength: 100, pattern: PERMISSION_PATTERN }), {
  maxItems: 200,
  uniqueItems: true,
})
