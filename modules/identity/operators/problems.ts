import { defineProblems } from '@larder-dev/larder/kernel'
import { defineOperatorErrors } from '@larder-dev/larder/kernel/internal'

export const operatorProblems = defineProblems({
  invalid_claim: [
    403,
    'This claim code is invalid, already used or older than one hour. Restart the installation to get a new one.',
  ],
})

export const operatorErrors = defineOperatorErrors({
  audience_in_use: [
    '{count} people have signed up to a product of {before}, and the recipe makes it a product of {after}.',
    'Write `audience: {before}` under `product`, or start the other product with a database of its own.',
  ],
})
