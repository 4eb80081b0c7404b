import { type Deps, job, MINUTE } from 'larder/kernel'
import { purgeRetired } from './services/storage/schema-service.ts'
import { purgeTrash } from './services/trash-purge.ts'

type JobDeps = Deps<'schemaOwner' | 'migrations' | 'clock' | 'systemDatabase' | 'collectionServices'>

export const jobs = (deps: JobDeps) => [
  job('collections.purge_retired', { every: '1d', timeout: 10 * MINUTE, run: () => purgeRetired(deps) }),
  job('collections.purge_trash', {
    every: '1h',
    timeout: 10 * MINUTE,
    run: (_, { signal }) => purgeTrash(deps, deps.collectionServices.collections, signal),
  }),
]
