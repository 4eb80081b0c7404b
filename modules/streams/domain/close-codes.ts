/** Close codes of the realtime socket: 4000 to 4399 say try again, 4400 to 4499 do not. */
export const CLOSE = {
  draining: 4000,
  slow_consumer: 4001,
  ping_timeout: 4008,
  rate_limited: 4029,
  room_full: 4030,
  bad_frame: 4400,
  unauthenticated: 4401,
  revoked: 4403,
  no_session: 4404,
  resume_expired: 4409,
  over: 4410,
  too_large: 4413,
  publisher_taken: 4423,
} as const

/** 1000: the peer went on purpose. */
const NORMAL = 1000

/** Whether a peer whose socket closed like this may come back to its place. */
export const keepsPlace = (code: number): boolean => code !== NORMAL && (code < 4400 || code > 4499)
