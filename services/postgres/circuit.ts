/**
 * Knows whether the database is away: a probe on its own connection decides, since one slow statement or one lost connection
 * says little. Announces the outage, and rejects statements at once while the database hangs or is read-only, so that
 * requests do not pile up.
 */
import { setTimeout as pause } from 'node:timers/promises'
import { createOutageLog, SECOND } from '@larder-dev/larder/kernel/internal'
import type { Logger } from 'pino'
import { unavailable } from './errors.ts'

const PROBE_INTERVAL_MS = SECOND / 2

export interface Circuit {
  /** @throws Problem `database_unavailable` while the circuit is open. */
  assertClosed(): void
  /**
   * Starts a probe, after a timeout or a rejected write. The circuit opens if the probe fails. Returns the error, which
   * is attributed to the outage, if it turns out to be one.
   */
  suspect<E>(error: E): E
  /**
   * Starts a probe, after a connection was lost or refused. The circuit stays closed: other connections may be fine.
   * Returns the error as `suspect` does.
   */
  lost<E>(error: E): E
  /** Counts how often the circuit opened. Connections from before may be dead. */
  readonly generation: number
  stop(): void
}

export function createCircuit({ probe, log }: { readonly probe: () => Promise<void>; readonly log: Logger }): Circuit {
  const stopping = new AbortController()
  const outage = createOutageLog({
    log,
    begins: 'the database is unavailable; requests that need it are rejected until it is available',
    ends: 'the database is available again',
  })
  let generation = 0
  /** Why the circuit is open. */
  let reason: unknown
  let isSuspect = false
  let probing = false

  async function run(): Promise<void> {
    while (!stopping.signal.aborted)
      try {
        await probe()
        reason = undefined
        isSuspect = false
        return outage.end()
      } catch (error) {
        if (stopping.signal.aborted) break
        outage.begin(error)
        if (isSuspect && !reason) generation++
        if (isSuspect) reason = outage.attribute(error)
        await pause(PROBE_INTERVAL_MS, undefined, { ref: false, signal: stopping.signal }).catch(() => undefined)
      }
    outage.close()
  }

  function examine<E>(error: E): E {
    outage.suspect()
    if (!probing) {
      probing = true
      void run().finally(() => {
        probing = false
      })
    }
    return outage.attribute(error)
  }

  return {
    assertClosed() {
      if (reason) throw unavailable(reason)
    },
    suspect(error) {
      isSuspect = true
      return examine(error)
    },
    lost: examine,
    get generation() {
      return generation
    },
    stop: () => stopping.abort(),
  }
}
