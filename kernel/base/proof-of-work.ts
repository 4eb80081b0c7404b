/**
 * A proof of work by `altcha-lib`: a task that takes the computer of a caller a moment, so that sending much costs more
 * than sending little. Nothing is stored until a solution is used.
 */
import { randomInt } from 'node:crypto'
import type { Static } from 'typebox'
import type { Clock } from './clock.ts'
import { named } from './json-schema.ts'
import { importOptional } from './optional-package.ts'
import type { Secrets } from './secrets.ts'
import { Type } from './typebox.ts'
import { SECOND } from './units.ts'

const ALGORITHM = 'PBKDF2/SHA-256'
/** Iterations of one try: about 2 ms of a computer. */
const COST = 5000
/** Bounds of the random number of tries, as parts of the average. */
const [FEWEST, MOST] = [0.4, 1.6]

const Hex = Type.String({ pattern: '^[0-9a-f]*$' })
/** A challenge as `altcha-lib` makes and solves it. */
export const ProofChallenge = named(
  'ProofChallenge',
  Type.Object({
    parameters: named(
      'ProofChallengeParameters',
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
export type ProofChallenge = Static<typeof ProofChallenge>

/** @param problem the code of the problem that has the challenge. */
export const proofSolution = (problem: string) =>
  Type.String({
    maxLength: 4000,
    description: `The solved \`challenge\` of a 403 \`${problem}\`: base64 of \`{challenge, solution}\`. Works once`,
  })

/**
 * `unreadable`: it isn't base64 of a challenge and a solution. `foreign`: this server didn't make the challenge, or made it
 * for another place. `unsolved`: the solution is wrong.
 */
export type ProofFault = 'unreadable' | 'foreign' | 'unsolved' | 'expired'
export interface SolvedChallenge {
  /** Unique. Whoever stores it until `expiresAt` accepts each solution once. */
  readonly signature: string
  /** Milliseconds since 1970. */
  readonly expiresAt: number
}
export interface ProofOfWork {
  /** @param place what the solution is accepted for. */
  create(place: string): Promise<ProofChallenge>
  read(place: string, solution: string): Promise<SolvedChallenge | ProofFault>
}

export interface ProofOptions {
  /** What the signatures are for. */
  readonly purpose: string
  /** Tries until the solution, on average. 250 are less than a second of a computer, and a few of a slow phone. */
  readonly tries: number
  readonly ttlMs: number
}

// Loaded with the first challenge.
const altcha = () =>
  importOptional('altcha-lib', async () => ({
    ...(await import('altcha-lib')),
    ...(await import('altcha-lib/algorithms/pbkdf2')),
  }))

export function createProofOfWork(
  { clock, secrets }: { readonly clock: Clock; readonly secrets: Pick<Secrets, 'sign'> },
  { purpose, tries, ttlMs }: ProofOptions,
): ProofOfWork {
  const keysOf = (place: string) => ({
    hmacSignatureSecret: secrets.sign(purpose, 'challenge', place),
    hmacKeySignatureSecret: secrets.sign(purpose, 'key', place),
  })

  return {
    async create(place) {
      const { createChallenge, deriveKey } = await altcha()
      const { parameters, signature = '' } = await createChallenge({
        ...keysOf(place),
        algorithm: ALGORITHM,
        cost: COST,
        counter: randomInt(Math.ceil(tries * FEWEST), Math.ceil(tries * MOST) + 1),
        deriveKey,
        expiresAt: Math.ceil((clock.now() + ttlMs) / SECOND),
      })
      const { algorithm, nonce, salt, cost, keyLength, keyPrefix, keySignature = '', expiresAt = 0 } = parameters
      return { parameters: { algorithm, nonce, salt, cost, keyLength, keyPrefix, keySignature, expiresAt }, signature }
    },
    async read(place, text) {
      const { deriveKey, verifySolution } = await altcha()
      try {
        const { challenge, solution } = JSON.parse(Buffer.from(text, 'base64').toString())
        const { verified, expired, invalidSignature } = await verifySolution({
          ...keysOf(place),
          challenge,
          solution,
          deriveKey,
        })
        if (expired) return 'expired'
        if (invalidSignature) return 'foreign'
        if (!verified) return 'unsolved'
        const expiresAt = challenge.parameters.expiresAt * SECOND
        // The library compares with the time of the system.
        return expiresAt > clock.now() ? { signature: challenge.signature, expiresAt } : 'expired'
      } catch {
        // The library throws an Error for each way in which a challenge can be malformed.
        return 'unreadable'
      }
    },
  }
}
