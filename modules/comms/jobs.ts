import { type Deps, job, MINUTE } from '@larder-dev/larder/kernel'
import type { CommsOptions } from './options.ts'
import { backoffMs, createDeliveryService, MAX_ATTEMPTS } from './services/delivery-service.ts'
import { createProviderEventService } from './services/provider-event-service.ts'
import { createRecipientLimit } from './services/recipient-limit.ts'
import type { TransportDeps } from './services/transports/transport.ts'

type JobDeps = TransportDeps &
  Deps<
    | 'database'
    | 'systemDatabase'
    | 'clock'
    | 'jobs'
    | 'providerInbox'
    | 'log'
    | 'mailTemplates'
    | 'secrets'
    | 'product',
    'mailProvider'
  >

export function jobs(deps: JobDeps, options: CommsOptions) {
  const delivery = createDeliveryService(deps, options)
  const recipientLimit = createRecipientLimit(deps, options)
  const providerEvents = createProviderEventService(deps)
  return [
    job('comms.deliver', {
      attempts: MAX_ATTEMPTS,
      backoff: backoffMs,
      timeout: 2 * MINUTE,
      // What the mailbox keeps goes nowhere.
      outgoing: deps.mailProvider !== undefined || deps.mailTransport.name !== 'mailbox',
      run: delivery.run,
    }),
    job('comms.process_provider_events', { timeout: 2 * MINUTE, run: () => providerEvents.processDue() }),
    job('comms.retry_provider_events', { every: '1m', timeout: 2 * MINUTE, run: () => providerEvents.processDue() }),
    job('comms.sweep', {
      every: '1d',
      run: async () => {
        await providerEvents.sweep()
        await recipientLimit.sweep()
      },
    }),
  ]
}
