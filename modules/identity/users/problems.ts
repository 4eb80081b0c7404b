import { defineProblems } from '@larder-dev/larder/kernel'

export const accountProblems = defineProblems({
  disposable_address: [422, "Disposable addresses can't be used here. Enter one that you keep."],
  registration_closed: [403, 'Sign-up is by invitation only. Ask for an invitation.'],
  not_exported: [403, 'Only the person can export their data.'],
  email_taken: [409, 'An account with this email already exists. Sign in or reset your password.'],
  link_expired: [410, 'This link is invalid or has expired. Request a new one.'],
})
