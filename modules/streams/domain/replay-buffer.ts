/**
 * Numbered frames of one peer, buffered until the peer confirms them, so that it can resume without loss. Pure.
 *
 * The frames are bytes outside the heap. Strings would survive collections of the young generation, each of which copies
 * them while all sockets of the process wait. A frame that many peers get is one string for all of them.
 */
import { KIB } from '@larder-dev/larder/kernel'

export const MAX_FRAMES = 256
export const MAX_BYTES = 256 * KIB

export interface ReplayBuffer {
  /** Sequence number of the last frame; 0 before the first. */
  seq: number
  /** Number of buffered frames, the newest ones. */
  count: number
  /** Size of the buffered frames: bytes, or characters of shared ones. */
  bytes: number
  /** Between `start` and `end`, the frames without their numbers, each preceded by its size, or `SHARED` alone. */
  memory: Buffer
  start: number
  end: number
  /** Frames that other peers receive, too. */
  readonly shared: string[]
}

/** Bytes of the size of a frame. */
const SIZE = 4
/** Instead of the size of a frame: it is in `shared`. */
const SHARED = 0xffff_ffff
const MIN_CAPACITY = KIB
/** More memory than this is released once all frames are confirmed. */
const MAX_IDLE_CAPACITY = 64 * KIB
const NO_MEMORY = Buffer.alloc(0)

export const createReplayBuffer = (): ReplayBuffer => ({
  seq: 0,
  count: 0,
  bytes: 0,
  memory: NO_MEMORY,
  start: 0,
  end: 0,
  shared: [],
})

/**
 * Appends a frame and returns its number. Drops the oldest frames above the limits.
 * @param isShared whether other peers get the same string.
 */
export function append(buffer: ReplayBuffer, tail: string, isShared = false): number {
  const size = isShared ? tail.length : Buffer.byteLength(tail)
  while (buffer.count > 0 && (buffer.count === MAX_FRAMES || buffer.bytes + size > MAX_BYTES)) dropOldest(buffer)
  reserve(buffer, isShared ? SIZE : SIZE + size)
  if (isShared) appendShared(buffer, tail)
  else appendBytes(buffer, tail, size)
  buffer.bytes += size
  buffer.count++
  return ++buffer.seq
}

function appendShared(buffer: ReplayBuffer, tail: string): void {
  buffer.end = buffer.memory.writeUInt32LE(SHARED, buffer.end)
  buffer.shared.push(tail)
}

function appendBytes(buffer: ReplayBuffer, tail: string, size: number): void {
  const at = buffer.memory.writeUInt32LE(size, buffer.end)
  // ASCII is copied, and other text is converted.
  buffer.memory.write(tail, at, size === tail.length ? 'latin1' : 'utf8')
  buffer.end = at + size
}

/** Drops the frames up to this number, which the peer has received. */
export function confirm(buffer: ReplayBuffer, seq: number): void {
  while (buffer.count > 0 && buffer.seq - buffer.count < seq) dropOldest(buffer)
  if (buffer.count === 0 && buffer.memory.length > MAX_IDLE_CAPACITY) buffer.memory = NO_MEMORY
}

/**
 * The frames after this number, or every buffered frame without one. Undefined if some were dropped or the number was
 * never assigned.
 */
export function framesSince(
  buffer: ReplayBuffer,
  seq: number | undefined,
): { first: number; tails: readonly string[] } | undefined {
  const oldest = buffer.seq - buffer.count
  const from = seq ?? oldest
  if (from < oldest || from > buffer.seq) return undefined
  return { first: from + 1, tails: allFrames(buffer).slice(from - oldest) }
}

/** The buffered frames without their numbers. */
export function allFrames({ memory, start, end, shared }: ReplayBuffer): string[] {
  const frames: string[] = []
  let nextShared = 0
  for (let at = start; at < end; ) {
    const size = memory.readUInt32LE(at)
    at += SIZE
    if (size === SHARED) frames.push(shared[nextShared++] as string)
    else {
      frames.push(memory.toString('utf8', at, at + size))
      at += size
    }
  }
  return frames
}

/** A buffer with these frames, of which the last one has the number `seq`. */
export function restoreReplayBuffer(seq: number, frames: readonly string[]): ReplayBuffer {
  const buffer = createReplayBuffer()
  buffer.seq = seq - frames.length
  for (const tail of frames) append(buffer, tail)
  return buffer
}

function dropOldest(buffer: ReplayBuffer): void {
  const size = buffer.memory.readUInt32LE(buffer.start)
  buffer.start += SIZE
  if (size === SHARED) buffer.bytes -= buffer.shared.shift()?.length ?? 0
  else {
    buffer.start += size
    buffer.bytes -= size
  }
  buffer.count--
  if (buffer.count === 0) buffer.start = buffer.end = 0
}

/** Makes room for this many bytes after `end`: moves the frames to the beginning, or to a larger memory. */
function reserve(buffer: ReplayBuffer, bytes: number): void {
  const { memory, start, end } = buffer
  if (end + bytes <= memory.length) return
  const used = end - start
  // Moves at most three times as many bytes as were appended since the last move.
  if (used + bytes <= memory.length * 0.75) memory.copyWithin(0, start, end)
  else {
    let capacity = Math.max(MIN_CAPACITY, memory.length * 2)
    while (capacity < used + bytes) capacity *= 2
    // Not allocated from Node's pool, all of which a single frame would keep in memory.
    buffer.memory = Buffer.allocUnsafeSlow(capacity)
    memory.copy(buffer.memory, 0, start, end)
  }
  buffer.start = 0
  buffer.end = used
}
