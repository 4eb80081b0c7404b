/** Challenges as `altcha-lib` makes and solves them. */
import { named, type Static, Timestamp, Type, table } from '@larder-dev/larder/kernel'

const Hex = Type.String({ pattern: '^[0-9a-f]*$' })
export const SignInChallenge = named(
  'SignInChallenge',
  Type.Object({
    parameters: named(
      'SignInChallengeParameters',
      Type.Object({
        algorithm: Type.String(),
        nonce: Hex,
        salt: Hex,
        cost: Type.Integer(),
        keyLength: Type.Integer(),
        keyPrefix: Hex,
        keySignature: Hex,
        expiresAt: Type.Number({ description: 'Seconds since 1970' }),
      }),
    ),
    signature: Hex,
  }),
)
export type SignInChallenge = Static<typeof SignInChallenge>

/** Base64 of `{challenge, solution}` as JSON. */
export const ChallengeSolution = Type.String({
  maxLength: 4000,
  description: 'The solved `challenge` of a 403 `challenge_required`: base64 of `{challenge, solution}`. Works once',
})

/** Solutions that were used, until their challenges expire. */
export const usedChallengeTable = table(
  'identity_used_challenges',
  Type.Object({ signature: Type.String(), expiresAt: Timestamp }),
  { what: 'challenge', key: 'signature' },
)
