/**
 * Warnings that may repeat thousands of times for the same reason, such as requests while all connections are in use: the
 * first one is written, and the others are counted.
 */
import type { Logger } from 'pino'
import { unlessAnnounced } from './outage.ts'
import { SECOND } from './units.ts'

const INTERVAL_MS = 10 * SECOND

export interface CountedWarningsOptions {
  readonly log: Logger
  /** Message of the first warning. */
  readonly first: string
  /** Message of the lines that count the others. */
  readonly more: string
  readonly intervalMs?: number
}

/**
 * @param key of warnings that are counted together. `fields` are logged with the first. A warning whose `err` belongs to an
 * announced outage isn't counted here, but there.
 */
export type CountedWarnings = (key: string, fields: Readonly<Record<string, unknown>>) => void

export function createCountedWarnings(options: CountedWarningsOptions): CountedWarnings {
  const { log, first, more, intervalMs = INTERVAL_MS } = options
  /** Since the last line. */
  const counts = new Map<string, number>()

  function countLater(key: string): void {
    setTimeout(() => {
      const count = counts.get(key) ?? 0
      counts.delete(key)
      if (count === 0) return
      log.warn({ code: key, count, seconds: intervalMs / SECOND }, more)
      counts.set(key, 0)
      countLater(key)
    }, intervalMs).unref()
  }

  function warn(key: string, fields: Readonly<Record<string, unknown>>): void {
    const known = counts.get(key)
    counts.set(key, known === undefined ? 0 : known + 1)
    if (known !== undefined) return
    log.warn({ code: key, ...fields }, first)
    countLater(key)
  }
  return (key, fields) =>
    unlessAnnounced(fields.err, first, {
      write: () => warn(key, fields),
      withhold: () => log.debug({ code: key, ...fields }, first),
    })
}
