/** The services of messaging, made once. */
import type { Deps } from 'larder/kernel'
import { type MessagingOptions, maxParticipants, notifyDelay } from './options.ts'
import { createBeginning } from './services/beginning.ts'
import { createChanges } from './services/changes.ts'
import { createConversations } from './services/conversations.ts'
import { createMessages } from './services/messages.ts'
import { createNotices } from './services/notices.ts'
import { createParticipants } from './services/participants.ts'
import { createPosting } from './services/posting.ts'
import { createReading } from './services/reading.ts'
import { createReminders } from './services/reminders.ts'

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
