/** Who is who in a room: who gives way in a negotiation, who may speak to whom. Pure. */
import type { Role } from '../ports.ts'

export interface Member {
  readonly id: string
  readonly role: Role
}

export const MAX_PEERS = 100

/** Of two peers one is polite (perfect negotiation): the viewer; between equals the smaller id. */
export function isPolite(one: Member, other: Member): boolean {
  if (one.role !== other.role) return one.role === 'viewer'
  return one.id < other.id
}

/** A peer as another one sees it: `polite` says whether it, and not the other, gives way. */
export const seenBy = (peer: Member, other: Member) => ({
  peer_id: peer.id,
  role: peer.role,
  polite: isPolite(peer, other),
})

export type Route<M> =
  | { readonly targets: readonly M[] }
  | { readonly code: 'unknown_peer' | 'not_allowed' | 'no_publisher'; readonly message: string }

/**
 * Whom a frame goes to. A viewer speaks to the publisher alone, and need not name it; a publisher that names nobody
 * speaks to every viewer.
 */
export function routeOf<M extends Member>(
  members: ReadonlyMap<string, M>,
  from: Member,
  to: string | undefined,
): Route<M> {
  if (to === undefined) {
    if (from.role === 'publisher') return { targets: [...members.values()].filter(({ id }) => id !== from.id) }
    const publisher = publisherOf(members)
    return publisher ? { targets: [publisher] } : { code: 'no_publisher', message: 'Nobody publishes here yet.' }
  }
  const target = members.get(to)
  if (!target || target.id === from.id)
    return { code: 'unknown_peer', message: 'There is no such peer in this session.' }
  if (from.role === 'viewer' && target.role !== 'publisher')
    return { code: 'not_allowed', message: 'Viewers speak to the publisher alone.' }
  return { targets: [target] }
}

export function publisherOf<M extends Member>(members: ReadonlyMap<string, M>): M | undefined {
  for (const member of members.values()) if (member.role === 'publisher') return member
  return undefined
}
