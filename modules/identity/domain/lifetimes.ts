import { MINUTE } from '@larder-dev/larder/kernel'

/** An impersonation isn't extended. */
export const IMPERSONATION_TTL_MS = 30 * MINUTE
/** The lifetime of a sign-in that waits for its second factor. */
export const PENDING_TTL_MS = 10 * MINUTE
/** The attempts that a mailed code allows. It is one of a million, and an address gets 10 an hour. */
export const MAX_CODE_ATTEMPTS = 5
