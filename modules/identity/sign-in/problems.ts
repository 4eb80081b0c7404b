import { defineProblems, Type } from '@larder-dev/larder/kernel'
import { ProofChallenge } from '@larder-dev/larder/kernel/internal'

export const signInProblems = defineProblems({
  invalid_credentials: [401, 'Incorrect email or password.', { challenge: Type.Optional(ProofChallenge) }],
  last_sign_in_method: [409, "You can't remove your only way to sign in. Add another one first."],
  identity_taken: [409, 'Another account already uses this way to sign in. Remove it there first.'],
})
