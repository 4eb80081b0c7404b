import { type Deps, job, SECOND } from '@larder-dev/larder/kernel'
import { createDeliveries } from './services/delivery-service.ts'
import { reencryptSecrets } from './services/secret-reencryption.ts'
import type { Sender } from './services/sender.ts'

type JobDeps = Deps<'database' | 'systemDatabase' | 'clock' | 'secrets' | 'log'> & { readonly sender: Sender }

export const webhookJobs = (deps: JobDeps) => [
  job('webhooks.send', { every: '2s', timeout: 5 * SECOND, run: async () => deps.sender.wake() }),
  job('webhooks.sweep', { every: '1h', run: (_, { signal }) => createDeliveries(deps).sweep(signal) }),
  // Not at the start: in a rolling restart, other processes don't have the new secret yet.
  job('webhooks.reencrypt_secrets', {
    every: '1d',
    run: async (_, { signal }) => void (await reencryptSecrets(deps, signal)),
  }),
]
