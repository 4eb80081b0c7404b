/** Close codes of the realtime socket. Pure. */
import { REALTIME_CLOSE_CODE } from '@larder-dev/larder/kernel'

export const CLOSE_CODE = {
  ...REALTIME_CLOSE_CODE,
  room_full: 4030,
  no_session: 4404,
  resume_expired: 4409,
  /** Another socket has resumed the session. */
  replaced: 4409,
  over: 4410,
  publisher_taken: 4423,
} as const

/** Sent by a peer that leaves. */
export const NORMAL_CLOSURE = 1000

/** Whether a peer can resume after its socket closed with this code. */
export const canResume = (code: number): boolean => code !== NORMAL_CLOSURE && (code < 4400 || code > 4499)
