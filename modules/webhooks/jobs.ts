import { type Deps, job, SECOND } from 'larder/kernel'
import { createDeliveries } from './services/delivery-service.ts'

export const webhookJobs = (deps: Deps<'database' | 'systemDatabase' | 'clock' | 'webhookSender'>) => [
  job('webhooks.send', { every: '2s', timeout: 5 * SECOND, run: async () => deps.webhookSender.wake() }),
  job('webhooks.sweep', { every: '1h', run: (_, { signal }) => createDeliveries(deps).sweep(signal) }),
]
