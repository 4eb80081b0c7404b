/**
 * Commits whose confirmation was lost with the connection: PostgreSQL may have made them durable, and their `afterCommit`
 * callbacks did not run. Whoever depends on these callbacks learns that changes may have been missed.
 */
import { setTimeout as pause } from 'node:timers/promises'
import { SECOND } from '@larder-dev/larder/kernel'

/** Many connections are lost together. */
const COLLECT_MS = 1 * SECOND
const RETRY_MS = 1 * SECOND
/** A server whose client is gone goes on waiting for its synchronous standby, and makes the commit visible later. */
const LATE_COMMIT_MS = 30 * SECOND

export interface UnconfirmedCommits {
  report(): void
  /** See `Postgres`. Returns a function that unsubscribes. */
  subscribe(listener: () => void): () => void
  close(): void
}

export interface UnconfirmedCommitsOptions {
  /** Rejects while no writable server answers: listeners could not read what they may have missed. */
  readonly ready: () => Promise<void>
  /** Milliseconds until the second call of the listeners. */
  readonly lateCommitMs?: number | undefined
}

export function createUnconfirmedCommits({
  ready,
  lateCommitMs = LATE_COMMIT_MS,
}: UnconfirmedCommitsOptions): UnconfirmedCommits {
  const listeners = new Set<() => void>()
  const closing = new AbortController()
  /** The next call of the listeners is for commits that are reported now, too. */
  let isCalling = false
  const wait = (ms: number) => pause(ms, undefined, { signal: closing.signal, ref: false })
  const notify = () => {
    for (const listener of [...listeners]) listener()
  }

  async function announce(): Promise<void> {
    await wait(COLLECT_MS)
    while (!(await answers())) await wait(RETRY_MS)
    closing.signal.throwIfAborted()
    isCalling = false
    notify()
    await wait(lateCommitMs)
    notify()
  }

  const answers = (): Promise<boolean> =>
    ready().then(
      () => true,
      () => false,
    )

  return {
    report() {
      if (isCalling || closing.signal.aborted) return
      isCalling = true
      // Only closing ends the waits.
      announce().catch(() => undefined)
    },
    subscribe(listener) {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    close: () => closing.abort(),
  }
}
