/** Sends that a user is typing to the other participants. */
import { type Deps, SECOND } from 'larder/kernel'
import { conversationFrame } from '../domain/frames.ts'
import type { ChangeFeed } from '../services/change-feed.ts'
import type { Connection } from './types.ts'

/** Minimum interval of typing frames in one conversation. */
const TYPING_INTERVAL_MS = SECOND

/** Returns false if the connection doesn't follow the conversation. */
export type Typing = (connection: Connection, conversationId: string | undefined) => boolean

export function createTyping({ clock }: Deps<'clock'>, changeFeed: ChangeFeed): Typing {
  return (connection, conversationId) => {
    const { member } = connection.socket
    if (!member || conversationId === undefined || !connection.versions.has(conversationId)) return false
    const { lastTyping } = connection
    const now = clock.now()
    if (lastTyping.conversationId === conversationId && now - lastTyping.at < TYPING_INTERVAL_MS) return true
    connection.lastTyping = { conversationId, at: now }
    const { tenantId, userId } = member
    const frame = conversationFrame('typing', { conversationId }, { userId })
    changeFeed.publish({ kind: 'transient', tenantId, conversationId, frame, except: userId })
    return true
  }
}
