/** Wake-ups of one process within this time are one, in milliseconds: a NOTIFY for each commit would halve what the database takes. */
const COALESCE = 2

/** Tells workers that there is something to do. Nothing is lost without it: they poll. */
export function createPoke(notify: () => Promise<void>, onError: (error: unknown) => void): () => void {
  let poked = false
  return () => {
    if (poked) return
    poked = true
    setTimeout(() => {
      poked = false
      notify().catch(onError)
    }, COALESCE)
  }
}
