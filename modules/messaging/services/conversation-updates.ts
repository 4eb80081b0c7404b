/** Tells the sockets of what was settled in a conversation: subject, status, participants. */
import type { Unit } from 'larder/kernel'
import { frameOf } from '../domain/frames.ts'
import type { Notices } from './change-feed.ts'
import { type Shared, sharedConversation } from './conversation-queries.ts'

export interface Moved {
  readonly joined?: readonly string[]
  readonly left?: readonly string[]
}

export const updatedFrame = (conversation: Shared): string => {
  const { id: conversationId, lastSeq: seq, version } = conversation
  return frameOf('conversation.updated', { conversationId, seq, version }, conversation)
}

export const createChanges = (notices: Notices) => ({
  /** Within the unit that wrote the conversation's new version. */
  async tell(unit: Unit, tenantId: string, conversationId: string, moved: Moved = {}): Promise<void> {
    const conversation = await sharedConversation(unit, conversationId)
    const { version, lastSeq } = conversation
    const frames = [updatedFrame(conversation)]
    notices.tell({ kind: 'change', tenantId, conversationId, version, lastSeq, frames, ...moved })
  },
})
export type Changes = ReturnType<typeof createChanges>
