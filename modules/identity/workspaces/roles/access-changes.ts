import type { Deps } from '@larder-dev/larder/kernel'
import type { RevokedAccess } from '@larder-dev/larder/kernel/internal'

export interface AccessChanges {
  /** Rights were removed. Open sockets of the affected callers close in every process after the transaction commits. */
  revoked(change: RevokedAccess): void
}

export function createAccessChanges({ database, bus }: Deps<'database' | 'bus'>): AccessChanges {
  return {
    revoked: change => database.afterCommit(() => bus.publish('sockets.close', change)),
  }
}
