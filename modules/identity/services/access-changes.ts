import type { CallersChanged, Deps } from 'larder/kernel'

/** Announces changed rights to every process after the transaction commits. */
export interface AccessChanges {
  /** Rights were added. Open connections stay open. */
  granted(change: CallersChanged): void
  /** Rights were removed. Open sockets of the affected callers close. */
  revoked(change: CallersChanged): void
}

export function createAccessChanges({ database, bus }: Deps<'database' | 'bus'>): AccessChanges {
  return {
    granted: change => database.afterCommit(() => bus.publish('callers.changed', change)),
    revoked: change =>
      database.afterCommit(() => {
        bus.publish('callers.changed', change)
        bus.publish('sockets.close', change)
      }),
  }
}
