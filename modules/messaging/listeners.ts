import { listener } from '@larder-dev/larder/kernel'
import type { MessagingServices } from './services.ts'

export const messagingListeners = ({
  reminders,
  supportMails,
  participants,
  inbox,
}: Pick<MessagingServices, 'reminders' | 'supportMails' | 'participants' | 'inbox'>) => [
  listener('messaging.message.created', async ({ tenantId, payload, occurredAt }) => {
    await supportMails.send(tenantId, payload.messageId)
    await reminders.schedule(tenantId, payload.conversationId, occurredAt)
  }),
  listener('identity.member.removed', async ({ tenantId, payload: { userId } }) => {
    await participants.removeFromAll(tenantId, userId)
    await inbox.unassign(tenantId, userId)
  }),
]
