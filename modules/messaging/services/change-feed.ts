/** Publishes conversation changes to all processes over the bus. Batched, because each bus message has a fixed cost. */
import type { Deps } from '@larder-dev/larder/kernel'
import type { ConversationChange } from '../domain/conversation-change.ts'
import type { SupportDesk } from './support-desk.ts'

const CHANNEL = 'messaging.changes'
/** The first change is sent immediately. Changes within this time after it are sent together. */
const BATCH_INTERVAL_MS = 15

export interface ChangeFeed {
  /** Publishes after the surrounding unit has committed, or immediately without one. */
  publish(...changes: readonly ConversationChange[]): void
  /** Returns a function that stops listening. */
  listen(onChange: (change: ConversationChange) => void, onGap: () => void): () => void
  /** Sends the pending changes. */
  stop(): void
}

export const INBOX_TOPIC = 'messaging.inbox'
/** All support conversations of an inbox are one channel. */
export const INBOX_KEY = 'inbox'

type ChangeFeedDeps = Deps<'database' | 'bus' | 'topics'> & { readonly supportDesk: SupportDesk }

export function createChangeFeed({ database, bus, topics, supportDesk }: ChangeFeedDeps): ChangeFeed {
  let waiting: ConversationChange[] = []
  let timer: NodeJS.Timeout | undefined

  function flush(): void {
    timer = undefined
    if (waiting.length === 0) return
    const changes = waiting
    waiting = []
    timer = setTimeout(flush, BATCH_INTERVAL_MS)
    bus.publish(CHANNEL, changes)
  }

  return {
    publish(...changes: readonly ConversationChange[]): void {
      for (const change of changes)
        if (change.kind === 'change' && change.isSupport) {
          const { tenantId, conversationId, lastSeq: seq, version } = change
          const channel = { tenantId: supportDesk.of(tenantId), key: INBOX_KEY }
          topics.publish(INBOX_TOPIC, channel, { conversationId, seq, version })
        }
      database.afterCommit(() => {
        waiting.push(...changes)
        if (timer === undefined) flush()
      })
    },
    listen: (onChange: (change: ConversationChange) => void, onGap: () => void): (() => void) =>
      bus.subscribe(
        CHANNEL,
        changes => {
          for (const change of changes) onChange(change)
        },
        onGap,
      ),
    stop(): void {
      clearTimeout(timer)
      flush()
      clearTimeout(timer)
    },
  }
}
