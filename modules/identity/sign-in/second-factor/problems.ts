import { defineProblems } from '@larder-dev/larder/kernel'
import { PendingFields } from './records.ts'

export const secondFactorProblems = defineProblems({
  sign_in_expired: [401, 'This sign-in has expired or is finished. Sign in again.'],
  second_factor_required: [
    403,
    'This account needs a second factor. Finish the sign-in within 10 minutes: send `pending` to `POST /v1/auth/second-factor` with a code or, if `enroll` is true, to `POST /v1/auth/second-factor/enrollment`.',
    PendingFields,
  ],
  invalid_second_factor: [403, 'This code is wrong or was used before. Enter another one.'],
  second_factor_mandatory: [409, 'Your role requires a second factor. Add a passkey before you remove the app.'],
  member_elsewhere: [
    409,
    "This person also belongs to workspaces that you don't own. Ask the operator to remove their second factor.",
  ],
  second_factor_unreadable: [
    503,
    "The codes of your authenticator app can't be checked at the moment. Use a recovery code or a passkey, or ask the operator of this site.",
  ],
  invalid_enrollment: [410, 'This setup has expired, or the account has a second factor by now. Start again.'],
  too_many_codes: [429, 'Too many wrong codes. Try again in {minutes} minutes, or use a recovery code or a passkey.'],
})
