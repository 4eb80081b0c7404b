/** One open socket and its subscriptions. */
import { createBucket, type RealtimeSocket, type TopicSubscriber } from '@larder-dev/larder/kernel/internal'
import { ANONYMOUS_RATE } from './limits.ts'
import type { ClientSubscription } from './subscription.ts'

export interface Connection {
  readonly socket: RealtimeSocket
  readonly subscriptions: Map<string, ClientSubscription>
  readonly subscriber: TopicSubscriber
  /** The bucket limits the subscriptions of an anonymous client. */
  readonly bucket: ReturnType<typeof createBucket>
  /** The tenant of an anonymous client. */
  anonymousTenantId: string
  /** `t` of the last ping of the client's previous socket. */
  lastPing: number
  /** Ends the count of this socket. */
  release(): void
  /** Counts the times at which the member was verified again. */
  verifications: number
}

export function createConnection(socket: RealtimeSocket, operatorTenantId: string, now: number): Connection {
  const connection: Connection = {
    socket,
    subscriptions: new Map(),
    subscriber: {
      get member() {
        return socket.member
      },
      get tenantId() {
        return socket.member?.tenantId ?? connection.anonymousTenantId
      },
    },
    bucket: createBucket(ANONYMOUS_RATE, now),
    anonymousTenantId: operatorTenantId,
    lastPing: 0,
    release() {},
    verifications: 0,
  }
  return connection
}
