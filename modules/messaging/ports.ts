/** Interfaces of the messaging module. Other modules use its events only. */
import type { PayloadsOf } from 'larder/kernel'
import type { events } from './events.ts'
import type { TopicFeeds } from './realtime/topic-feeds.ts'
import type { Member } from './realtime/types.ts'
import type { ChangeFeed, ConversationChange } from './services/change-feed.ts'
import type { ConversationService } from './services/conversation-service.ts'
import type { InboxService } from './services/inbox-service.ts'
import type { MessageService } from './services/message-service.ts'
import type { ParticipantService } from './services/participant-service.ts'
import type { PostingService } from './services/posting-service.ts'
import type { ReadStateService } from './services/read-state-service.ts'
import type { ReminderService } from './services/reminder-service.ts'
import type { SavedReplyService } from './services/saved-reply-service.ts'
import type { ConversationStart } from './services/start-conversation.ts'

export interface Messaging {
  readonly conversations: ConversationService
  readonly participants: ParticipantService
  readonly messages: MessageService
  readonly posting: PostingService
  readonly readStates: ReadStateService
  readonly reminders: ReminderService
  readonly inbox: InboxService
  readonly savedReplies: SavedReplyService
  /** Whether members may start support conversations. */
  readonly hasInbox: boolean
  readonly changeFeed: ChangeFeed
  /** Creates a conversation and its first message in one transaction. Returns the id of the conversation. */
  startConversation(tenantId: string, start: ConversationStart, userId: string): Promise<string>
}

export interface MessagingRealtime {
  readonly feeds: TopicFeeds
  participates(member: Member, conversationId: string): Promise<boolean>
  stop(): void
}

declare module 'larder/kernel' {
  interface Ports {
    /** Internal to this module. */
    messaging: Messaging
    /** Internal to this module: the subscriptions of this process. */
    messagingRealtime: MessagingRealtime
  }
  interface Events extends PayloadsOf<typeof events> {}
  interface Jobs {
    /** Reopens a snoozed conversation. */
    'messaging.reopen': { conversationId: string }
    /** Reminds participants of unread messages by email. */
    'messaging.remind': { conversationId: string }
  }
  interface Channels {
    'messaging.changes': readonly ConversationChange[]
  }
}
