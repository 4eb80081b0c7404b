import { type Deps, job, MINUTE } from 'larder/kernel'
import { purgeRetired } from './services/storage/schema-service.ts'

export const jobs = (deps: Deps<'schemaOwner' | 'migrations' | 'clock'>) => [
  job('collections.purge_retired', { every: '1d', timeout: 10 * MINUTE, run: () => purgeRetired(deps) }),
]
