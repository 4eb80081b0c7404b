/**
 * Detects processes that died: the messages of their last changes may never have been sent. Every process sends signs of
 * life, and a last one when it stops. A process receives its own signs over the bus, too, and counts them instead of
 * reading a clock: neither an outage of the bus nor a pause of this process looks like a death.
 */
import { SECOND } from '@larder-dev/larder/kernel'
import type { Logger } from 'pino'

/** The channel of the signs. Versions that don't know it ignore it. */
export const PRESENCE = 'bus.presence'
const SIGN_INTERVAL_MS = 5 * SECOND
/** Own signs after which a process that sent none is dead. */
const MAX_SILENT_SIGNS = 3

interface Sign {
  readonly isLast: boolean
}

export interface Presence {
  /** Call it for every message of the channel, the own ones included. */
  receive(from: string, sign: unknown): void
  /** Sends the last sign. */
  close(): void
}

export interface PresenceOptions {
  /** This process, as `from` names it. */
  readonly self: string
  readonly send: (sign: Sign) => void
  /** Messages of a process may be missing. */
  readonly onDeath: () => void
  readonly log: Logger
  /** Milliseconds between two signs. */
  readonly intervalMs?: number | undefined
}

export function createPresence({ self, send, onDeath, log, intervalMs = SIGN_INTERVAL_MS }: PresenceOptions): Presence {
  /** Process → the number of own signs at its last sign. */
  const seen = new Map<string, number>()
  let received = 0
  let receivedAt = Number.NEGATIVE_INFINITY

  function receiveOwn(): void {
    const now = performance.now()
    // After an outage, signs that waited arrive at once, maybe before those of others.
    if (now - receivedAt < intervalMs / 2) return
    receivedAt = now
    received++
    const dead = [...seen].filter(([, at]) => received - at > MAX_SILENT_SIGNS)
    for (const [node] of dead) {
      seen.delete(node)
      log.info({ node }, 'a process ended without notice; its last messages may be missing')
    }
    if (dead.length > 0) onDeath()
  }

  const sign = () => send({ isLast: false })
  sign()
  const timer = setInterval(sign, intervalMs).unref()
  return {
    receive(from, sign) {
      if (from === self) receiveOwn()
      else if ((sign as Sign).isLast) seen.delete(from)
      else seen.set(from, received)
    },
    close() {
      clearInterval(timer)
      send({ isLast: true })
    },
  }
}
