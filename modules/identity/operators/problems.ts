import { defineProblems } from '@larder-dev/larder/kernel'

export const operatorProblems = defineProblems({
  invalid_claim: [
    403,
    'This claim code is invalid, already used or older than one hour. Restart the installation to get a new one.',
  ],
})
