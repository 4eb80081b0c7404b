/**
 * What one peer is sent, numbered, and kept until it is known to have arrived, so that nothing is lost by a network
 * that drops. Pure.
 */

import { KIB } from 'larder/kernel'
export const MAX_KEPT = 256
export const MAX_KEPT_BYTES = 256 * KIB

export interface Line {
  /** Number of the last frame; 0 before the first. */
  seq: number
  /** The newest frames, without their numbers: the last of them has the number `seq`. */
  kept: string[]
  bytes: number
}

export const newLine = (): Line => ({ seq: 0, kept: [], bytes: 0 })

/** Gives the frame its number and keeps it; what no longer fits is forgotten, oldest first. */
export function push(line: Line, tail: string): number {
  line.kept.push(tail)
  line.bytes += tail.length
  while (line.kept.length > MAX_KEPT || line.bytes > MAX_KEPT_BYTES) forgetOldest(line)
  return ++line.seq
}

/** The peer has everything up to this number. */
export function arrived(line: Line, seq: number): void {
  while (line.kept.length > 0 && line.seq - line.kept.length < seq) forgetOldest(line)
}

/**
 * What comes after this number; all that is kept without one. Undefined where some of it is forgotten, or the number
 * was never given.
 */
export function since(line: Line, seq: number | undefined): { first: number; tails: readonly string[] } | undefined {
  const oldest = line.seq - line.kept.length
  const from = seq ?? oldest
  if (from < oldest || from > line.seq) return undefined
  return { first: from + 1, tails: line.kept.slice(from - oldest) }
}

function forgetOldest(line: Line): void {
  line.bytes -= line.kept.shift()?.length ?? 0
}
