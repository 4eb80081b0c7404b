import type { Deps } from 'larder/kernel'
import { type MessagingOptions, maxParticipants, reminderDelayMs } from '../options.ts'
import type { Messaging } from '../ports.ts'
import { createChangeFeed } from './change-feed.ts'
import { createConversations } from './conversation-service.ts'
import { createConversationStates } from './conversation-states.ts'
import { createConversationUpdates } from './conversation-updates.ts'
import { createInbox } from './inbox-service.ts'
import { createMessages } from './message-service.ts'
import { createParticipants } from './participant-service.ts'
import { createPosting } from './posting-service.ts'
import { createReadStates } from './read-state-service.ts'
import { createReminders } from './reminder-service.ts'
import { createSavedReplies } from './saved-reply-service.ts'
import { createStartConversation } from './start-conversation.ts'

type MessagingDeps = Deps<
  'database' | 'clock' | 'events' | 'jobs' | 'bus' | 'product' | 'people' | 'topics',
  'entitlements' | 'mailer' | 'mediaItems'
>

export function createMessaging(deps: MessagingDeps, options: MessagingOptions): Messaging {
  const changeFeed = createChangeFeed(deps)
  const limits = { updates: createConversationUpdates(changeFeed), maxParticipants: maxParticipants(options) }
  const states = createConversationStates(deps, limits.updates)
  const hasInbox = options.support ?? false
  const conversations = createConversations(deps, { ...limits, states, hasInbox })
  const posting = createPosting(deps, changeFeed)
  return {
    changeFeed,
    conversations,
    startConversation: createStartConversation(deps, { conversations, posting }),
    participants: createParticipants(deps, { conversations, ...limits }),
    messages: createMessages(deps, changeFeed),
    posting,
    hasInbox,
    inbox: createInbox(deps, states),
    savedReplies: createSavedReplies(deps),
    readStates: createReadStates(deps, changeFeed),
    reminders: createReminders(deps, reminderDelayMs(options)),
  }
}
