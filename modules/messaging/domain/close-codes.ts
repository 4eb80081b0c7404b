/** Close codes of the realtime socket: 4000 to 4399 say try again, 4400 to 4499 do not with the same. */
export const CLOSE = {
  draining: 4000,
  slow_consumer: 4001,
  ping_timeout: 4008,
  rate_limited: 4029,
  bad_frame: 4400,
  unauthenticated: 4401,
  revoked: 4403,
  too_large: 4413,
} as const
