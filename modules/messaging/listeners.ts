import { type Deps, listener } from 'larder/kernel'

export const listeners = ({ messaging: { reminders, participants } }: Deps<'messaging'>) => [
  listener('messaging.message.created', ({ tenantId, payload, occurredAt }) =>
    reminders.begin(tenantId, payload.conversationId, occurredAt),
  ),
  listener('identity.member.removed', ({ tenantId, payload }) => participants.forget(tenantId, payload.userId)),
]
