import { defineProblems } from '@larder-dev/larder/kernel'
import { ProofChallenge } from '@larder-dev/larder/kernel/internal'

export const passwordProblems = defineProblems({
  incorrect_password: [401, 'The password is incorrect. Try again.'],
  wrong_password: [403, 'The current password is incorrect. Try again or reset your password.'],
  challenge_required: [
    403,
    'Several sign-ins failed. Solve the challenge, and send its solution with the next attempt.',
    { challenge: ProofChallenge },
  ],
})
