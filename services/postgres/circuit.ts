/**
 * Rejects statements at once while the database does not respond or is read-only, so that requests do not pile up. A
 * timeout alone does not open the circuit, since one slow statement causes it too: a probe on its own connection decides.
 */
import { setTimeout as pause } from 'node:timers/promises'
import { reasonOf, SECOND } from '@larder-dev/larder/kernel/internal'
import type { Logger } from 'pino'
import { unavailable } from './errors.ts'

const PROBE_INTERVAL_MS = SECOND / 2

export interface Circuit {
  /** @throws Problem `database_unavailable` while the circuit is open. */
  assertClosed(): void
  /** Starts a probe, after a timeout or a rejected write. */
  suspect(): void
  /** Counts how often the circuit opened. Connections from before may be dead. */
  readonly generation: number
  stop(): void
}

export function createCircuit({ probe, log }: { readonly probe: () => Promise<void>; readonly log: Logger }): Circuit {
  const stopping = new AbortController()
  let generation = 0
  let reason: unknown
  let probing = false

  async function run(): Promise<void> {
    while (!stopping.signal.aborted)
      try {
        await probe()
        if (reason) log.info('the database is available again')
        reason = undefined
        return
      } catch (error) {
        if (!reason) {
          generation++
          log.error(
            { reason: reasonOf(error) },
            'the database is unavailable; requests that need it are rejected until it is available',
          )
        }
        reason = error
        await pause(PROBE_INTERVAL_MS, undefined, { ref: false, signal: stopping.signal }).catch(() => undefined)
      }
  }

  return {
    assertClosed() {
      if (reason) throw unavailable(reason)
    },
    suspect() {
      if (probing) return
      probing = true
      void run().finally(() => {
        probing = false
      })
    },
    get generation() {
      return generation
    },
    stop: () => stopping.abort(),
  }
}
