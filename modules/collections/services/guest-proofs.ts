/** A proof of work for rows of people who are not signed in, if the recipe asks for one. */
import { type Deps, HOUR } from '@larder-dev/larder/kernel'
import { createProofOfWork, type ProofChallenge, type ProofFault } from '@larder-dev/larder/kernel/internal'
import type { Collection } from '../domain/declarations/collection.ts'
import type { CollectionsOptions } from '../options.ts'
import { problems, proofFaults } from '../problems.ts'
import { usedProofTable } from '../records.ts'

/** The page of a form has a challenge from the beginning. */
const CHALLENGE_TTL_MS = HOUR
const PURPOSE = 'collections.guest_proof'
const REASON = 'a proof of work is used once, whatever the workspace'

export interface GuestProofs {
  isNeeded(collection: Collection): boolean
  /** Makes a challenge for one row of the collection in this workspace. */
  challenge(tenantId: string, collection: Collection): Promise<ProofChallenge>
  /**
   * Uses the solution up, also if no row is created afterward. Throws `proof_required` unless one is needed, it is right
   * and nobody has used it.
   */
  use(tenantId: string, collection: Collection, solution: string | undefined): Promise<void>
  /** Forgets solutions whose challenges have expired. */
  sweep(): Promise<void>
}

/** Whether the options ask visitors of this collection for a proof. */
export const needsProof = ({ guestProof }: CollectionsOptions, { name, access }: Collection): boolean =>
  guestProof !== undefined &&
  access.guests !== undefined &&
  (guestProof.collections === undefined || guestProof.collections.includes(name))

export function createGuestProofs(
  { systemDatabase, clock, secrets }: Deps<'systemDatabase' | 'clock' | 'secrets'>,
  options: CollectionsOptions,
): GuestProofs {
  const tries = options.guestProof?.tries ?? 0
  const proof = createProofOfWork({ clock, secrets }, { purpose: PURPOSE, tries, ttlMs: CHALLENGE_TTL_MS })
  const used = () => systemDatabase.acrossTenants(REASON)
  const placeOf = (tenantId: string, { name }: Collection) => `${tenantId} ${name}`
  const isNeeded = (collection: Collection) => needsProof(options, collection)
  const challenge = (tenantId: string, collection: Collection) => proof.create(placeOf(tenantId, collection))

  async function faultOf(place: string, solution: string): Promise<ProofFault | 'used' | undefined> {
    const solved = await proof.read(place, solution)
    if (typeof solved === 'string') return solved
    const row = { signature: solved.signature, expiresAt: new Date(solved.expiresAt).toISOString() }
    const { rowCount } = await used().query(...usedProofTable.insertStep(row, 'on conflict do nothing'))
    return rowCount === 1 ? undefined : 'used'
  }

  return {
    isNeeded,
    challenge,
    async use(tenantId, collection, solution) {
      if (!isNeeded(collection)) return
      const fault = solution === undefined ? 'missing' : await faultOf(placeOf(tenantId, collection), solution)
      if (fault === undefined) return
      const next = { challenge: await challenge(tenantId, collection) }
      throw fault === 'missing' ? problems.proof_required({}, next) : proofFaults[fault]({}, next)
    },
    async sweep() {
      await used().query('delete from collections_used_proofs where expires_at <= $1', [
        new Date(clock.now()).toISOString(),
      ])
    },
  }
}
