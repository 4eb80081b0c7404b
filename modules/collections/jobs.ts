import { type Deps, HOUR, type JobContext, job, MINUTE } from '@larder-dev/larder/kernel'
import type { FileRunner } from './services/file-jobs.ts'
import { purgeRetired } from './services/storage/schema-service.ts'
import { purgeTrash } from './services/trash-purge.ts'
import type { CollectionServices } from './services.ts'

type JobDeps = Deps<'schemaOwner' | 'migrations' | 'clock' | 'systemDatabase' | 'operator'> &
  Pick<CollectionServices, 'collectionMap' | 'guestProofs' | 'imports' | 'exports'>

/** Attempts are starts of one import or export. A process that stops in an orderly way doesn't count. */
const FILE_JOB = { timeout: 12 * HOUR, attempts: 10, concurrency: 2 }
const SWEEP_IMPORTS_REASON = 'old imports of every tenant are deleted'
const SWEEP_EXPORTS_REASON = 'old exports of every tenant are deleted'

export const jobs = (deps: JobDeps) => [
  job('collections.purge_retired', { every: '1d', timeout: 10 * MINUTE, run: () => purgeRetired(deps) }),
  job('collections.purge_trash', {
    every: '1h',
    timeout: 10 * MINUTE,
    run: (_, { signal }) => purgeTrash(deps, deps.collectionMap, signal),
  }),
  job('collections.import', {
    ...FILE_JOB,
    run: ({ importId }, context) => runFile(deps, deps.imports.runner, importId, context),
  }),
  job('collections.export', {
    ...FILE_JOB,
    run: ({ exportId }, context) => runFile(deps, deps.exports.runner, exportId, context),
  }),
  job('collections.sweep_exports', {
    every: '1h',
    run: () => deps.exports.store.sweep(deps.systemDatabase.acrossTenants(SWEEP_EXPORTS_REASON)),
  }),
  job('collections.sweep_proofs', { every: '1h', run: () => deps.guestProofs.sweep() }),
  job('collections.sweep_imports', {
    every: '1h',
    run: () => deps.imports.store.sweep(deps.systemDatabase.acrossTenants(SWEEP_IMPORTS_REASON)),
  }),
]

async function runFile(
  { operator }: Pick<JobDeps, 'operator'>,
  runner: FileRunner,
  id: string,
  { tenantId, signal, attempt }: JobContext,
): Promise<void> {
  const owner = tenantId ?? operator.tenantId
  try {
    await runner.run(owner, id, signal)
  } catch (error) {
    if (attempt >= FILE_JOB.attempts && !signal.aborted) await runner.giveUp(owner, id)
    throw error
  }
}
