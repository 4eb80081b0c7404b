/**
 * A proof of work by `altcha-lib` after failed sign-ins with a password, so that guessing costs more than asking. Failures
 * are counted by address, whether or not it has an account, and by client. Known devices are not asked: they have a rate
 * limit of their own.
 */
import { type Deps, HOUR, MINUTE, type RequestFacts } from '@larder-dev/larder/kernel'
import { addressKey, createProofOfWork, emailKey, type ProofChallenge } from '@larder-dev/larder/kernel/internal'
import { timeAt } from '../../domain/time.ts'
import type { IdentitySettings } from '../../options.ts'
import type { KnownDevices } from '../known-devices.ts'
import { passwordProblems } from './problems.ts'
import { usedChallengeTable } from './records.ts'

/** Failures are forgotten after this time without another one. */
const FAILURES_TTL_MS = 1 * HOUR
const CHALLENGE_TTL_MS = 5 * MINUTE
const PURPOSE = 'sign_in_challenge'
const TRIES = 250

export interface SignInAttempt {
  /** The challenge of the next attempt, if this one failed. Null while none is needed. */
  next(): Promise<ProofChallenge | null>
  /** Forgets the failures of the address, and takes this attempt back from the client. */
  succeeded(): Promise<void>
}
export interface SignInChallenges {
  /**
   * Counts an attempt before the password is checked. Throws `challenge_required` after too many, unless `solution`
   * solves a challenge that was not used before.
   */
  start(request: RequestFacts, email: string, solution: string | undefined): Promise<SignInAttempt>
}

type Needs = Deps<'systemDatabase' | 'clock' | 'secrets'> & {
  readonly devices: KnownDevices
  readonly settings: Pick<IdentitySettings, 'challengeAfter'>
}

const UNCOUNTED: SignInAttempt = { next: async () => null, succeeded: async () => {} }

export function createSignInChallenges({ systemDatabase, clock, secrets, devices, settings }: Needs): SignInChallenges {
  const { challengeAfter } = settings
  const counts = () => systemDatabase.acrossTenants('failed sign-ins are counted before a tenant is known')
  const proof = createProofOfWork({ clock, secrets }, { purpose: PURPOSE, tries: TRIES, ttlMs: CHALLENGE_TTL_MS })
  const create = () => proof.create('')

  async function isSolved(solution: string): Promise<boolean> {
    const solved = await proof.read('', solution)
    return typeof solved === 'object' && useOnce(solved.signature)
  }
  async function useOnce(signature: string): Promise<boolean> {
    const used = { signature, expiresAt: timeAt(clock, CHALLENGE_TTL_MS) }
    const { rowCount } = await counts().query(...usedChallengeTable.insertStep(used, 'on conflict do nothing'))
    return rowCount > 0
  }

  /** Returns the larger count. */
  async function count(sources: readonly string[]): Promise<number> {
    const { rows } = await counts().query<{ failures: number }>(
      `insert into identity_sign_in_failures as f (source, failures, expires_at)
       select source, 1, $2 from unnest($1::text[]) source order by source
       on conflict (source) do update set expires_at = $2,
         failures = case when f.expires_at > $3 then f.failures + 1 else 1 end
       returning failures`,
      [sources, timeAt(clock, FAILURES_TTL_MS), timeAt(clock)],
    )
    return Math.max(...rows.map(({ failures }) => failures))
  }

  return {
    async start(request, email, solution) {
      if (challengeAfter === undefined || devices.find(request.headers, email) !== undefined) return UNCOUNTED
      const [address, client] = [
        secrets.sign(PURPOSE, 'address', emailKey(email)),
        secrets.sign(PURPOSE, 'client', addressKey(request.ip)),
      ]
      const attempts = await count([address, client])
      if (attempts > challengeAfter && !(solution !== undefined && (await isSolved(solution))))
        throw passwordProblems.challenge_required({}, { challenge: await create() })
      return {
        next: async () => (attempts >= challengeAfter ? create() : null),
        // Locks both rows in the order in which attempts count them.
        async succeeded() {
          await counts().query(
            `update identity_sign_in_failures f
             set failures = case f.source when $1 then 0 else greatest(f.failures - 1, 0) end
             from (select source from identity_sign_in_failures where source in ($1, $2) order by source for update) locked
             where f.source = locked.source`,
            [address, client],
          )
        },
      }
    },
  }
}
