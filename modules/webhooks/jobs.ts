import { type Deps, job, reencryptColumn, SECOND } from '@larder-dev/larder/kernel'
import { SECRET_COLUMN } from './services/secret-store.ts'
import type { WebhookServices } from './services.ts'

type JobDeps = Deps<'systemDatabase' | 'secrets' | 'log'> & Pick<WebhookServices, 'sender' | 'deliveries'>

const REENCRYPTION = 'secrets of every tenant are encrypted with the current LARDER_SECRET'

export const webhookJobs = (deps: JobDeps) => [
  job('webhooks.send', { every: '2s', timeout: 5 * SECOND, run: async () => deps.sender.wake() }),
  job('webhooks.sweep', { every: '1h', run: (_, { signal }) => deps.deliveries.sweep(signal) }),
  // Not at the start: in a rolling restart, other processes don't have the new secret yet.
  job('webhooks.reencrypt_secrets', {
    every: '1d',
    run: (_, { signal }) =>
      reencryptColumn(deps, deps.systemDatabase.acrossTenants(REENCRYPTION), SECRET_COLUMN, signal),
  }),
]
