import { defineProblems } from '@larder-dev/larder/kernel'

export const providerProblems = defineProblems({
  subject_too_long: [
    403,
    'The identifier (NameID or subject) that the provider returned is longer than 1,024 bytes. Ask the people who run the provider for a shorter one.',
  ],
  invalid_subject: [
    403,
    'The identifier (NameID or subject) that the provider returned is empty or contains control characters. Ask the people who run the provider.',
  ],
  provider_unavailable: [503, "{provider} isn't available at the moment. Try again later or use another method."],
})
