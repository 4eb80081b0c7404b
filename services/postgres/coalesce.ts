import { setTimeout as wait } from 'node:timers/promises'

/** Calls within this time become one notification: a NOTIFY per commit would halve the throughput of the database. */
const COALESCE_MS = 2
/** The pause after a notification if there were more calls meanwhile. */
const BUSY_PAUSE_MS = 8

/**
 * Returns a function that wakes workers with `notify` and coalesces calls. Workers also poll, so a failed notification
 * only delays them. Each NOTIFY is a separate commit, so at most one is in progress: a slow database gets fewer of them.
 */
export function coalesceNotify(notify: () => Promise<void>, onError: (error: unknown) => void): () => void {
  let requested = false
  let running = false
  async function run(): Promise<void> {
    while (requested) {
      await wait(COALESCE_MS)
      requested = false
      await notify().catch(onError)
      if (requested) await wait(BUSY_PAUSE_MS)
    }
    running = false
  }
  return () => {
    requested = true
    if (running) return
    running = true
    void run()
  }
}
