/**
 * Who gives a cast to a peer that lately moved: exactly one of the processes that held it and hold it now, by what the
 * sender knew. Pure but for its types.
 */
import { SECOND } from 'larder/kernel'
import { type CastMessage, isLocal, type Someone } from './types.ts'

/** For so long after a move, in milliseconds, the sender of a cast says where it believes a peer to be. */
export const LATELY = 10 * SECOND

/** Part of a cast: where its sender has the peers that lately moved. */
export function knownMoves(targets: readonly Someone[], self: string, now: number): Pick<CastMessage, 'moved'> {
  const moved: Record<string, string | null> = {}
  for (const target of targets) {
    const since = isLocal(target) ? target.arrivedAt : target.movedAt
    if (now - since < LATELY) moved[target.id] = isLocal(target) ? self : target.node
    else if (!isLocal(target) && target.node === null) moved[target.id] = null
  }
  return Object.keys(moved).length > 0 ? { moved } : {}
}

/** Whether it is for this process to give the cast to this peer: where nothing was said, to one that is long here. */
export function believesHere(
  { moved }: Pick<CastMessage, 'moved'>,
  member: Someone,
  self: string,
  now: number,
): boolean {
  const node = moved?.[member.id]
  if (node !== undefined) return node === self && (isLocal(member) || member.node === null)
  return isLocal(member) && now - member.arrivedAt >= LATELY
}

/** Whether the sender of the cast has not heard yet that this peer left this process. */
export function believesStillHere({ moved }: Pick<CastMessage, 'moved'>, peerId: string, self: string): boolean {
  const node = moved?.[peerId]
  return node === undefined || node === self
}
