/** Limits of the socket and of the messages that processes keep. */
import { KIB, MIB, MINUTE, type Rate, SECOND } from '@larder-dev/larder/kernel'

export const MAX_FRAME_BYTES = 64 * KIB
export const MAX_BUFFER_BYTES = MIB
/** With more unsent bytes, messages are skipped and the client receives a gap. */
export const HIGH_WATER_MARK_BYTES = 256 * KIB
/** Frames that one socket may send. The burst lets a client restore all its subscriptions at once. */
export const FRAME_RATE: Rate = { perSecond: 50, burst: 1200 }
export const MAX_SUBSCRIPTIONS = 1000
/** Subscriptions of one anonymous socket, and how fast it may request them: each can cost a query. */
export const MAX_ANONYMOUS_SUBSCRIPTIONS = 50
export const ANONYMOUS_RATE: Rate = { perSecond: 1, burst: 50 }
/** A larger message reaches its subscribers as a gap. */
export const MAX_MESSAGE_BYTES = 128 * KIB

/** Messages are kept this long for clients that reconnect. */
export const RETENTION_MS = 2 * MINUTE
export const MAX_LOG_BYTES = 16 * MIB
export const MAX_CHANNEL_MESSAGES = 500
/** Differences between the clocks of processes, and between the times at which they receive a message. */
export const MAX_SKEW_MS = 5 * SECOND

/** Sent in `welcome`. */
export const LIMITS = {
  frameBytes: MAX_FRAME_BYTES,
  bufferBytes: MAX_BUFFER_BYTES,
  framesPerSecond: FRAME_RATE.perSecond,
  burst: FRAME_RATE.burst,
  subscriptions: MAX_SUBSCRIPTIONS,
}
