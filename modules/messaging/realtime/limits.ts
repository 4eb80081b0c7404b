/** Limits of the realtime socket. */
import { KIB, type Rate } from 'larder/kernel'
import { MAX_CONVERSATIONS } from '../domain/frames.ts'

export const MAX_FRAME_BYTES = 64 * KIB
export const MAX_BUFFER_BYTES = 1024 * KIB
/** Frames that one socket may send. */
export const FRAME_RATE: Rate = { perSecond: 10, burst: 50 }

/** Sent in `welcome`. */
export const LIMITS = {
  frameBytes: MAX_FRAME_BYTES,
  bufferBytes: MAX_BUFFER_BYTES,
  framesPerSecond: FRAME_RATE.perSecond,
  burst: FRAME_RATE.burst,
  named: MAX_CONVERSATIONS,
}
