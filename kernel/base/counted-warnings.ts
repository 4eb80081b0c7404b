/**
 * Warnings that may repeat thousands of times for the same reason, such as requests during an outage of the database: the
 * first one is announced, and the others are counted. They have no stacks, because they are no defects.
 */
import type { Logger } from 'pino'
import { Problem } from './problem.ts'
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

/** @param key of warnings that are counted together. `fields` are logged with the first. */
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

  return (key, fields) => {
    const known = counts.get(key)
    counts.set(key, known === undefined ? 0 : known + 1)
    if (known !== undefined) return
    log.warn({ code: key, ...fields }, first)
    countLater(key)
  }
}

/** The message of the innermost cause, which an operator can act on. */
export function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  const { cause } = error
  if (cause instanceof AggregateError) return cause.errors.map(reasonOf).join('; ')
  return cause instanceof Error ? reasonOf(cause) : error.message
}

/** Fields of a log line: a stack only for errors that are not the outage of another server. */
export const outageOr = (error: unknown): { readonly reason: string } | { readonly err: unknown } =>
  Problem.is(error) && error.status === 503 ? { reason: reasonOf(error) } : { err: error }
