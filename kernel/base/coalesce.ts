import { setTimeout as wait } from 'node:timers/promises'

/** Wake-ups of one process within this time are one, in milliseconds: a NOTIFY for each commit would halve what the database takes. */
const COALESCE_MS = 2

/**
 * Tells workers that there is something to do. Nothing is lost without it: they poll. A NOTIFY is a commit of its own,
 * so one is under way at a time: the slower the database, the fewer it is asked for.
 */
export function coalesceNotify(notify: () => Promise<void>, onError: (error: unknown) => void): () => void {
  let requested = false
  let running = false
  async function run(): Promise<void> {
    while (requested) {
      await wait(COALESCE_MS)
      requested = false
      await notify().catch(onError)
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
