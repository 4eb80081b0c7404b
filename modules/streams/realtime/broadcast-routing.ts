/**
 * Decides which process delivers a broadcast to a recently moved peer. Exactly one of the previous and the current
 * process delivers it, depending on the location known to the sender. Pure.
 */
import { SECOND } from '@larder-dev/larder/kernel'
import type { BroadcastMessage } from '../domain/messages.ts'
import { isLocal, type RoomMember } from './types.ts'

/** Broadcasts contain the location of the peer as known to the sender for this time after a move. */
export const RECENT_MOVE_MS = 10 * SECOND

/** The locations of recently moved peers, as part of a broadcast. */
export function recentMoves(
  targets: readonly RoomMember[],
  self: string,
  now: number,
): Pick<BroadcastMessage, 'moved'> {
  const moved: Record<string, string | null> = {}
  for (const target of targets) {
    const since = isLocal(target) ? target.arrivedAt : target.movedAt
    if (now - since < RECENT_MOVE_MS) moved[target.id] = isLocal(target) ? self : target.node
    else if (!isLocal(target) && target.node === null) moved[target.id] = null
  }
  return Object.keys(moved).length > 0 ? { moved } : {}
}

/** Whether this process delivers to the peer. Without a location, only if the peer has not moved recently. */
export function isForLocalPeer(
  { moved }: Pick<BroadcastMessage, 'moved'>,
  member: RoomMember,
  self: string,
  now: number,
): boolean {
  const node = moved?.[member.id]
  if (node !== undefined) return node === self && (isLocal(member) || member.node === null)
  return isLocal(member) && now - member.arrivedAt >= RECENT_MOVE_MS
}

/** True if the sender had not yet received the message that the peer left this process. */
export function isForDepartedPeer({ moved }: Pick<BroadcastMessage, 'moved'>, peerId: string, self: string): boolean {
  const node = moved?.[peerId]
  return node === undefined || node === self
}
