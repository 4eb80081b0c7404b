import { type Deps, listen } from '../../kernel/contract.ts'

export const listeners = ({ messaging: { reminders, participants } }: Deps<'messaging'>) => [
  listen('messaging.message.created', ({ tenantId, payload, occurredAt }) =>
    reminders.begin(tenantId, payload.conversationId, occurredAt),
  ),
  listen('identity.member.removed', ({ tenantId, payload }) => participants.forget(tenantId, payload.userId)),
]
