/**
 * WebAuthn's options and responses, as `@simplewebauthn/browser` sends them: the JSON forms of Web Authentication Level 3,
 * section 5.1.
 */

import {
  Bytes as BytesColumn,
  idPattern,
  Nullable,
  named,
  type Static,
  Timestamp,
  Type,
  table,
} from '@larder-dev/larder/kernel'
import { WayLabel } from '../../domain/fields.ts'

/** base64url. Large enough for a certificate chain, which the option `attestation: none` doesn't ask for. */
const Bytes = Type.String({ maxLength: 16_384, pattern: '^[A-Za-z0-9_-]*={0,2}$' })
const CredentialId = Type.String({ minLength: 1, maxLength: 1400, pattern: '^[A-Za-z0-9_-]+$' })
const Challenge = Type.String({ pattern: idPattern('pkc'), description: '`challenge` of the options. Works once' })

export const PasskeyOptions = named(
  'PasskeyOptions',
  Type.Object({
    challenge: Challenge,
    options: Type.Record(Type.String(), Type.Unknown(), {
      description: 'For `startRegistration` or `startAuthentication`',
    }),
  }),
)
/** What is used is checked. Browsers add members of their own, so the rest is ignored. */
const FROM_BROWSER = { additionalProperties: true } as const
const Unused = (description: string) => Type.Optional(Type.Unknown({ description }))
const credential = {
  id: CredentialId,
  rawId: CredentialId,
  type: Type.Literal('public-key'),
  clientExtensionResults: Unused('Ignored'),
  authenticatorAttachment: Unused('Ignored'),
}
const PasskeyRegistration = named(
  'PasskeyRegistration',
  Type.Object(
    {
      ...credential,
      response: named(
        'PasskeyAttestation',
        Type.Object(
          {
            clientDataJSON: Bytes,
            attestationObject: Bytes,
            transports: Type.Optional(Nullable(Type.Array(Type.String({ maxLength: 40 }), { maxItems: 10 }))),
          },
          FROM_BROWSER,
        ),
      ),
    },
    FROM_BROWSER,
  ),
)
export const RegistrationBody = Type.Object({
  challenge: Challenge,
  label: Type.Optional(WayLabel),
  response: PasskeyRegistration,
})
export type RegistrationBody = Static<typeof RegistrationBody>

const PasskeyAuthentication = named(
  'PasskeyAuthentication',
  Type.Object(
    {
      ...credential,
      response: named(
        'PasskeyAssertion',
        Type.Object(
          {
            clientDataJSON: Bytes,
            authenticatorData: Bytes,
            signature: Bytes,
            userHandle: Type.Optional(Nullable(Bytes)),
          },
          FROM_BROWSER,
        ),
      ),
    },
    FROM_BROWSER,
  ),
)
export const AuthenticationBody = Type.Object({
  challenge: Challenge,
  response: PasskeyAuthentication,
})
export type AuthenticationBody = Static<typeof AuthenticationBody>

/** What belongs to the sign-in identity of a passkey. */
export const passkeyTable = table(
  'identity_passkeys',
  Type.Object({
    identityId: Type.String(),
    publicKey: BytesColumn,
    /** How often the authenticator signed; 0 if it doesn't count. */
    counter: Type.Integer(),
    transports: Type.Array(Type.String()),
  }),
  { what: 'passkey', key: 'identityId' },
)

export const challengeTable = table(
  'identity_passkey_challenges',
  Type.Object({
    id: Type.String(),
    challenge: Type.String(),
    /** Null for a sign-in. */
    userId: Nullable(Type.String()),
    expiresAt: Timestamp,
  }),
  { what: 'challenge' },
)
