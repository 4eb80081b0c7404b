/** `modules.identity` of the recipe, and what it means in milliseconds. */

import { DURATION_PATTERN, milliseconds, OneOf, type Static, Type } from 'larder/kernel'

const Duration = (standard: string, description: string) =>
  Type.Optional(Type.String({ pattern: DURATION_PATTERN, default: standard, description }))

export const IdentityOptions = Type.Object({
  registration: Type.Optional(
    Type.Object({
      open: Type.Optional(
        Type.Boolean({ default: true, description: 'Whether anybody may register; the invited always may' }),
      ),
      workspace: Type.Optional(
        OneOf(['auto', 'none'], { description: 'auto: each new user gets a workspace of their own' }),
      ),
    }),
  ),
  invitations: Type.Optional(Type.Object({ ttl: Duration('7d', 'How long an invitation can be accepted') })),
  password: Type.Optional(
    Type.Object({
      minLength: Type.Optional(Type.Integer({ minimum: 8, maximum: 128, default: 8 })),
      blocklist: Type.Optional(
        Type.Array(Type.String({ minLength: 1 }), { description: 'Passwords to refuse beside the very common ones' }),
      ),
    }),
  ),
  sessions: Type.Optional(
    Type.Object({
      ttl: Duration('7d', 'A login that is not used for so long ends'),
      max: Duration('30d', 'A login ends at this age, however much it is used'),
    }),
  ),
})
export type IdentityOptions = Static<typeof IdentityOptions>

/** Durations in milliseconds. */
export interface IdentitySettings {
  readonly open: boolean
  readonly workspace: 'auto' | 'none'
  readonly invitationTtl: number
  readonly minLength: number
  readonly blocklist: readonly string[]
  readonly loginTtl: number
  readonly loginMax: number
}

export function identitySettings(options: IdentityOptions): IdentitySettings {
  const loginMax = milliseconds(options.sessions?.max ?? '30d')
  return {
    open: options.registration?.open ?? true,
    workspace: options.registration?.workspace ?? 'auto',
    invitationTtl: milliseconds(options.invitations?.ttl ?? '7d'),
    minLength: options.password?.minLength ?? 8,
    blocklist: options.password?.blocklist ?? [],
    loginTtl: Math.min(milliseconds(options.sessions?.ttl ?? '7d'), loginMax),
    loginMax,
  }
}
