import { type Deps, listener } from 'larder/kernel'

export const messagingListeners = ({ messaging: { reminders, participants, inbox } }: Deps<'messaging'>) => [
  listener('messaging.message.created', ({ tenantId, payload, occurredAt }) =>
    reminders.schedule(tenantId, payload.conversationId, occurredAt),
  ),
  listener('identity.member.removed', async ({ tenantId, payload: { userId } }) => {
    await participants.removeFromAll(tenantId, userId)
    await inbox.unassign(tenantId, userId)
  }),
]
