import { listener } from '@larder-dev/larder/kernel'
import type { MessagingServices } from './services.ts'

export const messagingListeners = ({
  reminders,
  participants,
  inbox,
}: Pick<MessagingServices, 'reminders' | 'participants' | 'inbox'>) => [
  listener('messaging.message.created', ({ tenantId, payload, occurredAt }) =>
    reminders.schedule(tenantId, payload.conversationId, occurredAt),
  ),
  listener('identity.member.removed', async ({ tenantId, payload: { userId } }) => {
    await participants.removeFromAll(tenantId, userId)
    await inbox.unassign(tenantId, userId)
  }),
]
