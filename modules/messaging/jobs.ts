import { type Deps, type Job, job } from 'larder/kernel'

export const messagingJobs = ({ messaging: { conversations, reminders } }: Deps<'messaging'>): Job[] => [
  job('messaging.reopen', {
    run: ({ conversationId }, { tenantId }) => conversations.reopen(tenantOf(tenantId), conversationId),
  }),
  job('messaging.remind', {
    run: ({ conversationId }, { tenantId }) => reminders.run(tenantOf(tenantId), conversationId),
  }),
]

function tenantOf(tenantId: string | null): string {
  if (tenantId === null) throw new Error('a job of messaging has a tenant')
  return tenantId
}
