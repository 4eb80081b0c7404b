/** Close codes of the realtime socket. Clients may reconnect after 4000 to 4399, but not with the same data after 4400 to 4499. */
export const CLOSE_CODE = {
  draining: 4000,
  slow_consumer: 4001,
  ping_timeout: 4008,
  rate_limited: 4029,
  bad_frame: 4400,
  unauthenticated: 4401,
  revoked: 4403,
  too_large: 4413,
} as const
