/** Sends that a user is typing to the other participants. */
import { type Deps, SECOND } from '@larder-dev/larder/kernel'
import { conversationFrame } from '../domain/frames.ts'
import type { ChangeFeed } from '../services/change-feed.ts'
import { conversationNotFound } from '../services/conversation-queries.ts'
import type { Connection } from './types.ts'

/** Minimum interval of typing frames in one conversation. */
const TYPING_INTERVAL_MS = SECOND

/** Throws `not_found` if the connection doesn't follow the conversation. */
export type Typing = (connection: Connection, conversationId: string) => void

export function createTyping({ clock }: Deps<'clock'>, changeFeed: ChangeFeed): Typing {
  return (connection, conversationId) => {
    const { member } = connection.sink
    if (!member || !connection.versions.has(conversationId)) throw conversationNotFound()
    const { lastTyping } = connection
    const now = clock.now()
    if (lastTyping.conversationId === conversationId && now - lastTyping.at < TYPING_INTERVAL_MS) return
    connection.lastTyping = { conversationId, at: now }
    const { tenantId, userId } = member
    const frame = conversationFrame('typing', { conversationId }, { userId })
    changeFeed.publish({ kind: 'transient', tenantId, conversationId, frame, except: userId })
  }
}
