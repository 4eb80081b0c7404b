/** Publishes changes of subject, status and participants of a conversation to the subscriptions. */
import type { Unit } from '@larder-dev/larder/kernel'
import { conversationFrame } from '../domain/frames.ts'
import type { ChangeFeed } from './change-feed.ts'
import { readSharedConversation, type SharedConversation } from './conversation-queries.ts'

export interface MembershipChange {
  readonly joined?: readonly string[]
  readonly left?: readonly string[]
}

export const updatedFrame = (conversation: SharedConversation): string => {
  const { id: conversationId, lastSeq: seq, version } = conversation
  return conversationFrame('conversation.updated', { conversationId, seq, version }, conversation)
}

export interface ConversationUpdates {
  /** Must run in the unit that wrote the new version of the conversation. Returns this version. */
  publish(unit: Unit, tenantId: string, conversationId: string, change?: MembershipChange): Promise<SharedConversation>
}

export function createConversationUpdates({ changeFeed }: { readonly changeFeed: ChangeFeed }): ConversationUpdates {
  return {
    async publish(unit: Unit, tenantId: string, conversationId: string, change: MembershipChange = {}) {
      const conversation = await readSharedConversation(unit, conversationId)
      const { version, lastSeq } = conversation
      const isSupport = conversation.kind === 'support'
      const frames = [updatedFrame(conversation)]
      changeFeed.publish({ kind: 'change', tenantId, conversationId, version, lastSeq, isSupport, frames, ...change })
      return conversation
    },
  }
}
