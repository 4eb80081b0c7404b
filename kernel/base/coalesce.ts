import { setTimeout as wait } from 'node:timers/promises'

/** Wake-ups of one process within this time are one, in milliseconds: a NOTIFY for each commit would halve what the database takes. */
const COALESCE = 2

/**
 * Tells workers that there is something to do. Nothing is lost without it: they poll. A NOTIFY is a commit of its own,
 * so one is under way at a time: the slower the database, the fewer it is asked for.
 */
export function createPoke(notify: () => Promise<void>, onError: (error: unknown) => void): () => void {
  let poked = false
  let telling = false
  async function tell(): Promise<void> {
    while (poked) {
      await wait(COALESCE)
      poked = false
      await notify().catch(onError)
    }
    telling = false
  }
  return () => {
    poked = true
    if (telling) return
    telling = true
    void tell()
  }
}
