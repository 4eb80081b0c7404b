/** The services of messaging, made once. */
import type { Deps } from 'larder/kernel'
import { type MessagingOptions, maxParticipants, notifyDelay } from '../options.ts'
import { createBeginning } from './start-conversation.ts'
import { createChanges } from './conversation-updates.ts'
import { createConversations } from './conversation-service.ts'
import { createMessages } from './message-service.ts'
import { createNotices } from './change-feed.ts'
import { createParticipants } from './participant-service.ts'
import { createPosting } from './posting-service.ts'
import { createReading } from './read-state-service.ts'
import { createReminders } from './reminder-service.ts'

export const NEEDS = [
  ...(['database', 'clock', 'events', 'jobs', 'bus', 'log', 'product', 'access'] as const),
  ...(['people', 'authenticator'] as const),
] as const
export const WANTS = ['mailer', 'mediaItems'] as const
export type MessagingDeps = Deps<(typeof NEEDS)[number], (typeof WANTS)[number]>

export function createMessaging(deps: MessagingDeps, options: MessagingOptions) {
  const notices = createNotices(deps)
  const changes = createChanges(notices)
  const most = maxParticipants(options)
  const conversations = createConversations(deps, { changes, most })
  const posting = createPosting(deps, notices)
  return {
    notices,
    conversations,
    begin: createBeginning(deps, { conversations, posting }),
    participants: createParticipants(deps, { conversations, changes, most }),
    messages: createMessages(deps, notices),
    posting,
    reading: createReading(deps, notices),
    reminders: createReminders(deps, notifyDelay(options)),
  }
}
export type Messaging = ReturnType<typeof createMessaging>
