/** Tells every process, once the change is in the database, whose rights it must look up anew. */
import type { CallersChanged, Deps } from 'larder/kernel'
export function createChanges({ database, bus }: Deps<'database' | 'bus'>) {
  const tell = (change: CallersChanged, channels: readonly string[]) =>
    database.afterCommit(() => {
      for (const channel of channels) bus.publish(channel, change)
    })

  return {
    /** More may be allowed than before: what is open stays open. */
    widened: (change: CallersChanged) => tell(change, ['callers.changed']),
    /** Something was taken away: open sockets of these callers close too. */
    narrowed: (change: CallersChanged) => tell(change, ['callers.changed', 'sockets.close']),
  }
}
export type Changes = ReturnType<typeof createChanges>
