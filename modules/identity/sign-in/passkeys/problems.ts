import { defineProblems } from '@larder-dev/larder/kernel'

export const passkeyProblems = defineProblems({
  invalid_passkey: [401, "This passkey doesn't belong to an account here, or the request has expired. Try again."],
  too_many_passkeys: [409, 'An account has at most {limit} passkeys. Remove one first.'],
})
