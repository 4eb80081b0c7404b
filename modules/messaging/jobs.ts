import { type Job, job } from '@larder-dev/larder/kernel'
import type { MessagingServices } from './services.ts'

export const messagingJobs = ({
  conversations,
  reminders,
}: Pick<MessagingServices, 'conversations' | 'reminders'>): Job[] => [
  job('messaging.reopen', {
    run: ({ conversationId }, { tenantId }) => conversations.reopen(requireTenant(tenantId), conversationId),
  }),
  job('messaging.remind', {
    run: ({ conversationId }, { tenantId }) => reminders.run(requireTenant(tenantId), conversationId),
  }),
]

function requireTenant(tenantId: string | null): string {
  if (tenantId === null) throw new Error('messaging jobs require a tenant')
  return tenantId
}
