/** Publishes changes of streams after the commit: to the rooms of all processes, and to the topics. */
import type { Deps } from '@larder-dev/larder/kernel'
import { PUBLIC_CHANNEL_TENANT } from '../domain/values.ts'
import type { Session, StreamChanged, StreamChangeMessage } from '../ports.ts'

type StreamState = Exclude<StreamChanged, { change: 'token_revoked' }>

export type StreamChanges = ReturnType<typeof createStreamChanges>

export function createStreamChanges({ database, bus, topics }: Deps<'database' | 'bus' | 'topics'>) {
  /** Public streams have subscribers in all workspaces, and fewer details. */
  function publishToTopics(tenantId: string, sessionId: string, message: StreamChangeMessage): void {
    topics.publish('streams.stream', { tenantId, key: sessionId }, message)
    if (message.change === 'live' || message.change === 'status')
      topics.publish('streams.public', { tenantId: PUBLIC_CHANNEL_TENANT, key: sessionId }, message)
  }

  return {
    publish(changed: StreamState): void {
      const { tenantId, sessionId, ...message } = changed
      database.afterCommit(() => bus.publish('streams.changed', changed))
      publishToTopics(tenantId, sessionId, message)
    },
    /** Rooms learn the status from the module of sessions. */
    publishStatus: (tenantId: string, sessionId: string, status: Session['status']): void =>
      publishToTopics(tenantId, sessionId, { change: 'status', status }),
  }
}
