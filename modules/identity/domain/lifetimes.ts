import { MINUTE } from '@larder-dev/larder/kernel'

/** An impersonation isn't extended. */
export const IMPERSONATION_TTL_MS = 30 * MINUTE
/** The lifetime of a sign-in that waits for its second factor. */
export const PENDING_TTL_MS = 10 * MINUTE
