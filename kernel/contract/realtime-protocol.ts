/** Values of the wire protocol that all realtime sockets share. */
import { SECOND } from '../base/index.ts'

/** Sent in `welcome`. */
export const REALTIME_PROTOCOL_VERSION = 1
/** Sent in `welcome`. */
export const REALTIME_PING_INTERVAL_MS = 20 * SECOND

/**
 * Close codes of every realtime socket. A client may reconnect after 4000 to 4399; after 4400 to 4499 the same request
 * would fail again. Modules add their own codes in these ranges.
 */
export const REALTIME_CLOSE_CODE = {
  draining: 4000,
  slow_consumer: 4001,
  ping_timeout: 4008,
  rate_limited: 4029,
  bad_frame: 4400,
  unauthenticated: 4401,
  revoked: 4403,
  too_large: 4413,
  too_many_sockets: 4429,
} as const
