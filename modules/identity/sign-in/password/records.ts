/** Challenges as `altcha-lib` makes and solves them. */
import { named, type Static, Type } from '@larder-dev/larder/kernel'

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
