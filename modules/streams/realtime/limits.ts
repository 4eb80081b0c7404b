/** Limits of the realtime socket. */
import { KIB, MIB, type Rate, SECOND } from '@larder-dev/larder/kernel'
import { MAX_PEERS } from '../domain/peers.ts'
import { MAX_BYTES, MAX_FRAMES } from '../domain/replay-buffer.ts'

export const RESUME_WINDOW_MS = 30 * SECOND
export const MAX_FRAME_BYTES = 128 * KIB
export const MAX_BUFFER_BYTES = MIB
/** Frames that one socket may send. */
export const FRAME_RATE: Rate = { perSecond: 50, burst: 200 }

/** Sent in `welcome`. */
export const LIMITS = {
  frame_bytes: MAX_FRAME_BYTES,
  messages_per_second: FRAME_RATE.perSecond,
  burst: FRAME_RATE.burst,
  buffer_bytes: MAX_BUFFER_BYTES,
  peers: MAX_PEERS,
  kept_messages: MAX_FRAMES,
  kept_bytes: MAX_BYTES,
}
