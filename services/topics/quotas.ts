/**
 * Counts the sockets and subscriptions of each person and workspace in this process. Those of a customer of a product of
 * people don't count toward the workspace.
 */
import { type RealtimeSocket, shareOf, type Wording, wording } from '@larder-dev/larder/kernel/internal'
import type { Connection } from './connection.ts'
import { FrameProblem } from './errors.ts'
import type { RealtimeLimits } from './ports.ts'

export interface Quotas {
  /** Throws `too_many_sockets`. Returns a function that ends the count. */
  addSocket(member: NonNullable<RealtimeSocket['member']>): () => void
  /** Throws `too_many_subscriptions`. Returns a function that ends the count. */
  addSubscription(connection: Connection): () => void
}

interface Quota {
  readonly key: string
  readonly max: number
  readonly exceeded: Wording
}

export function createQuotas(limits: RealtimeLimits): Quotas {
  const counts = new Map<string, number>()

  function add(code: string, quotas: readonly Quota[]): () => void {
    const reached = quotas.find(({ key, max }) => (counts.get(key) ?? 0) >= max)
    if (reached) throw new FrameProblem(code, reached.exceeded)
    for (const { key } of quotas) counts.set(key, (counts.get(key) ?? 0) + 1)
    let isCounted = true
    return () => {
      if (!isCounted) return
      isCounted = false
      for (const { key } of quotas) {
        const left = (counts.get(key) ?? 1) - 1
        if (left > 0) counts.set(key, left)
        else counts.delete(key)
      }
    }
  }

  return {
    addSocket({ userId, tenantId, membership }) {
      const { socketsPerPerson, socketsPerWorkspace } = limits
      return add('too_many_sockets', [
        {
          key: `socket ${userId}`,
          max: socketsPerPerson,
          exceeded: wording('A person can have at most {max} open sockets. Close one and try again.', {
            max: socketsPerPerson,
          }),
        },
        {
          key: `socket ${shareOf(membership) ?? tenantId}`,
          max: socketsPerWorkspace,
          exceeded: wording('A workspace can have at most {max} open sockets.', { max: socketsPerWorkspace }),
        },
      ])
    },
    addSubscription({ socket: { member }, subscriber: { tenantId } }) {
      const { subscriptionsPerPerson, subscriptionsPerWorkspace } = limits
      const ofPerson = member && {
        key: `subscription ${member.userId}`,
        max: subscriptionsPerPerson,
        exceeded: wording('A person can have at most {max} subscriptions.', { max: subscriptionsPerPerson }),
      }
      const ofWorkspace = {
        // Anonymous clients can't use up the subscriptions of the members.
        key: `subscription ${member ? 'of members' : 'anonymous'} ${shareOf(member?.membership) ?? tenantId}`,
        max: subscriptionsPerWorkspace,
        exceeded: wording('A workspace can have at most {max} subscriptions.', { max: subscriptionsPerWorkspace }),
      }
      return add('too_many_subscriptions', ofPerson ? [ofPerson, ofWorkspace] : [ofWorkspace])
    },
  }
}
