/** Numbered frames of one peer, buffered until the peer confirms them, so that it can resume without loss. Pure. */
import { KIB } from 'larder/kernel'

export const MAX_FRAMES = 256
export const MAX_BYTES = 256 * KIB

export interface ReplayBuffer {
  /** Sequence number of the last frame; 0 before the first. */
  seq: number
  /** The newest frames without their numbers. The last one has the number `seq`. */
  frames: string[]
  bytes: number
}

export const createReplayBuffer = (): ReplayBuffer => ({ seq: 0, frames: [], bytes: 0 })

/** Appends a frame and returns its number. Drops the oldest frames above the limits. */
export function append(buffer: ReplayBuffer, tail: string): number {
  buffer.frames.push(tail)
  buffer.bytes += tail.length
  while (buffer.frames.length > MAX_FRAMES || buffer.bytes > MAX_BYTES) dropOldest(buffer)
  return ++buffer.seq
}

/** Drops the frames up to this number, which the peer has received. */
export function confirm(buffer: ReplayBuffer, seq: number): void {
  while (buffer.frames.length > 0 && buffer.seq - buffer.frames.length < seq) dropOldest(buffer)
}

/**
 * The frames after this number, or every buffered frame without one. Undefined if some were dropped or the number was
 * never assigned.
 */
export function framesSince(
  buffer: ReplayBuffer,
  seq: number | undefined,
): { first: number; tails: readonly string[] } | undefined {
  const oldest = buffer.seq - buffer.frames.length
  const from = seq ?? oldest
  if (from < oldest || from > buffer.seq) return undefined
  return { first: from + 1, tails: buffer.frames.slice(from - oldest) }
}

function dropOldest(buffer: ReplayBuffer): void {
  buffer.bytes -= buffer.frames.shift()?.length ?? 0
}
