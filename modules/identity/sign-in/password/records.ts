/** Solutions of challenges. */
import { Timestamp, Type, table } from '@larder-dev/larder/kernel'
import { proofSolution } from '@larder-dev/larder/kernel/internal'

export const ChallengeSolution = proofSolution('challenge_required')

/** Solutions that were used, until their challenges expire. */
export const usedChallengeTable = table(
  'identity_used_challenges',
  Type.Object({ signature: Type.String(), expiresAt: Timestamp }),
  { what: 'challenge', key: 'signature' },
)
