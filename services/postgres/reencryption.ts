/** While LARDER_SECRET is rotated, encrypts all values that modules store with the new one. */
import {
  type Deps,
  isLasting,
  type Job,
  job,
  MINUTE,
  reencryptColumn,
  type SealedColumn,
} from '@larder-dev/larder/kernel/internal'

declare module '@larder-dev/larder/kernel' {
  interface Jobs {
    /** Encrypts what an older LARDER_SECRET encrypted with the current one. */
    'larder.reencrypt': Record<string, never>
  }
}

type Needs = Deps<'systemDatabase' | 'secrets' | 'log' | 'registry'>

/** Not at the start: in a rolling restart, other processes don't have the new secret yet. */
export const reencryptionJob = ({ systemDatabase, secrets, log, registry }: Needs): Job =>
  job('larder.reencrypt', {
    every: '1d',
    timeout: 60 * MINUTE,
    async run(_data, { signal }) {
      const unit = systemDatabase.acrossTenants('values of every tenant are encrypted with the current LARDER_SECRET')
      for (const { value } of registry.collect<readonly SealedColumn[]>('sealedColumns'))
        for (const column of value.filter(isLasting)) await reencryptColumn({ secrets, log }, unit, column, signal)
    },
  })
