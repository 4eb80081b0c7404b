/** Close codes of the realtime socket. Clients may reconnect after 4000 to 4399, but not after 4400 to 4499. */
export const CLOSE_CODE = {
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

/** Sent by a peer that leaves. */
const NORMAL_CLOSURE = 1000

/** Whether a peer can resume after its socket closed with this code. */
export const canResume = (code: number): boolean => code !== NORMAL_CLOSURE && (code < 4400 || code > 4499)
