import { type Deps, listener } from 'larder/kernel'

export const messagingListeners = ({ messaging: { reminders, participants } }: Deps<'messaging'>) => [
  listener('messaging.message.created', ({ tenantId, payload, occurredAt }) =>
    reminders.schedule(tenantId, payload.conversationId, occurredAt),
  ),
  listener('identity.member.removed', ({ tenantId, payload }) => participants.removeFromAll(tenantId, payload.userId)),
]
