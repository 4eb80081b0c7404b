import { defineProblems } from '@larder-dev/larder/kernel'

export const codeProblems = defineProblems({
  invalid_code: [401, 'This code is wrong, used or expired. Check it or request a new one.'],
  invalid_proof_code: [403, 'This code is wrong, used or expired. Check it or request a new one.'],
})
