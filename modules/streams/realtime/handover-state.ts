/** A place as it travels from one process to another. Pure. */
import { newLine } from '../domain/replay-buffer.ts'
import type { Luggage, Place, Room } from './types.ts'

export const packed = ({ id, role, kind, tokenId, line, lostAt, link }: Place, now: number): Luggage => ({
  id,
  role,
  kind,
  tokenId,
  seq: line.seq,
  kept: line.kept,
  lostAt: link ? now : lostAt,
})

/** `now`: milliseconds since 1970. */
export function unpacked(luggage: Luggage, room: Room, now: number): Place {
  const { id, role, kind, tokenId, seq, kept, lostAt } = luggage
  const line = newLine()
  line.seq = seq
  line.kept = [...kept]
  line.bytes = kept.reduce((sum, tail) => sum + tail.length, 0)
  return { id, role, kind, tokenId, room, line, lostAt, arrivedAt: now, token: undefined, link: undefined, iceAt: 0 }
}
