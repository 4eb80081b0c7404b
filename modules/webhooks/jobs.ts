import { job, SECOND } from '@larder-dev/larder/kernel'
import type { WebhookServices } from './services.ts'

type JobDeps = Pick<WebhookServices, 'sender' | 'deliveries'>

export const webhookJobs = (deps: JobDeps) => [
  job('webhooks.send', { every: '2s', timeout: 5 * SECOND, run: async () => deps.sender.wake() }),
  job('webhooks.sweep', { every: '1h', run: (_, { signal }) => deps.deliveries.sweep(signal) }),
]
