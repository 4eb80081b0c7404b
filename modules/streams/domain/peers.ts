/** Roles in a room: politeness in the negotiation, and which peers may exchange frames. Pure. */
import { type Wording, wording } from '@larder-dev/larder/kernel'
import type { Role } from './values.ts'

export interface PeerIdentity {
  readonly id: string
  readonly role: Role
}

export const MAX_PEERS = 100

/** Perfect negotiation needs one polite peer: the viewer, or between equal roles the one with the smaller id. */
export function isPolite(one: PeerIdentity, other: PeerIdentity): boolean {
  if (one.role !== other.role) return one.role === 'viewer'
  return one.id < other.id
}

/** A peer as shown to another peer. */
export const toPeerView = (peer: PeerIdentity, other: PeerIdentity) => ({
  peer_id: peer.id,
  role: peer.role,
  polite: isPolite(peer, other),
})

export type RelayTargets<M> =
  | { readonly targets: readonly M[] }
  | { readonly code: 'unknown_peer' | 'not_allowed' | 'no_publisher'; readonly message: Wording }

/**
 * Resolves the recipients of a frame. A viewer may only send to the publisher, its default recipient. Frames of the
 * publisher go to every viewer by default.
 */
export function resolveTargets<M extends PeerIdentity>(
  members: ReadonlyMap<string, M>,
  from: PeerIdentity,
  to: string | undefined,
): RelayTargets<M> {
  if (to === undefined) {
    if (from.role === 'publisher') return { targets: otherMembers(members, from) }
    const publisher = findPublisher(members)
    return publisher
      ? { targets: [publisher] }
      : { code: 'no_publisher', message: wording('The session has no publisher yet.') }
  }
  const target = members.get(to)
  if (!target || target.id === from.id)
    return { code: 'unknown_peer', message: wording('The session has no such peer.') }
  if (from.role === 'viewer' && target.role !== 'publisher')
    return { code: 'not_allowed', message: wording('Viewers can only send to the publisher.') }
  return { targets: [target] }
}

function otherMembers<M extends PeerIdentity>(members: ReadonlyMap<string, M>, from: PeerIdentity): M[] {
  // Allocated at its final size, because an array that grows leaves more garbage for each frame.
  const others = new Array<M>(members.has(from.id) ? members.size - 1 : members.size)
  let count = 0
  for (const member of members.values()) if (member.id !== from.id) others[count++] = member
  return others
}

export function findPublisher<M extends PeerIdentity>(members: ReadonlyMap<string, M>): M | undefined {
  for (const member of members.values()) if (member.role === 'publisher') return member
  return undefined
}
