import { type Deps, HOUR, job, MINUTE } from '@larder-dev/larder/kernel'
import { purgeRetired } from './services/storage/schema-service.ts'
import { purgeTrash } from './services/trash-purge.ts'

type JobDeps = Deps<'schemaOwner' | 'migrations' | 'clock' | 'systemDatabase' | 'operator' | 'collectionServices'>

/** Starts of one import or export. A process that stops in an orderly way doesn't count. */
const FILE_ATTEMPTS = 10
const SWEEP_IMPORTS_REASON = 'old imports of every tenant are deleted'
const SWEEP_EXPORTS_REASON = 'old exports of every tenant are deleted'

export const jobs = (deps: JobDeps) => [
  job('collections.purge_retired', { every: '1d', timeout: 10 * MINUTE, run: () => purgeRetired(deps) }),
  job('collections.purge_trash', {
    every: '1h',
    timeout: 10 * MINUTE,
    run: (_, { signal }) => purgeTrash(deps, deps.collectionServices.collections, signal),
  }),
  job('collections.import', {
    timeout: 12 * HOUR,
    attempts: FILE_ATTEMPTS,
    concurrency: 2,
    async run({ importId }, { tenantId, signal, attempt }) {
      const { runner } = deps.collectionServices.imports
      const owner = tenantId ?? deps.operator.tenantId
      try {
        await runner.run(owner, importId, signal)
      } catch (error) {
        if (attempt >= FILE_ATTEMPTS && !signal.aborted) await runner.giveUp(owner, importId)
        throw error
      }
    },
  }),
  job('collections.export', {
    timeout: 12 * HOUR,
    attempts: FILE_ATTEMPTS,
    concurrency: 2,
    async run({ exportId }, { tenantId, signal, attempt }) {
      const { runner } = deps.collectionServices.exports
      const owner = tenantId ?? deps.operator.tenantId
      try {
        await runner.run(owner, exportId, signal)
      } catch (error) {
        if (attempt >= FILE_ATTEMPTS && !signal.aborted) await runner.giveUp(owner, exportId)
        throw error
      }
    },
  }),
  job('collections.sweep_exports', {
    every: '1h',
    run: () => deps.collectionServices.exports.store.sweep(deps.systemDatabase.acrossTenants(SWEEP_EXPORTS_REASON)),
  }),
  job('collections.sweep_imports', {
    every: '1h',
    run: () => deps.collectionServices.imports.store.sweep(deps.systemDatabase.acrossTenants(SWEEP_IMPORTS_REASON)),
  }),
]
