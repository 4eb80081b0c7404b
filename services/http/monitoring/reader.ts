/**
 * Reads the values of metrics for a scrape. A database that is away or slow must not hold it up: what isn't known after a
 * moment is left out.
 */
import { createCountedWarnings, Problem, SECOND } from '@larder-dev/larder/kernel/internal'
import type { Logger } from 'pino'
import type { MetricSource } from '../types.ts'

/** Prometheus waits 10 s by default. */
const TIMEOUT_MS = 2 * SECOND
/** Reads of the database at a time. All at once would take every connection of the pool, and keep them open. */
const MAX_READS = 2

type Values = Awaited<ReturnType<MetricSource['read']>>

/** @returns the function that reads a metric. It never rejects. */
export function createMetricReader(log: Logger, timeoutMs = TIMEOUT_MS): (source: MetricSource) => Promise<Values> {
  const unavailable = createCountedWarnings({ log, first: "metrics can't be read", more: 'metrics could not be read' })
  const pending = new Map<MetricSource, Promise<Values>>()
  const waiting: (() => void)[] = []
  let reading = 0

  async function inTurn(read: () => Promise<Values>): Promise<Values> {
    if (reading === MAX_READS) await new Promise<void>(resolve => waiting.push(resolve))
    else reading++
    try {
      return await read()
    } finally {
      const next = waiting.shift()
      if (next) next()
      else reading--
    }
  }

  function failed(source: MetricSource, error: unknown): Values {
    const fields = { metric: source.name, err: error }
    if (Problem.is(error) && error.status === 503) unavailable('metrics_unavailable', fields)
    else log.warn(fields, 'reading a metric failed')
    return []
  }

  /** Scrapes share a read that is in progress. */
  function readOnce(source: MetricSource): Promise<Values> {
    const known = pending.get(source)
    if (known) return known
    const read = async () => source.read()
    const reading = (source.perProcess ? read() : inTurn(read))
      .catch((error: unknown) => failed(source, error))
      .finally(() => pending.delete(source))
    pending.set(source, reading)
    return reading
  }

  return async source => {
    let timer: NodeJS.Timeout | undefined
    const late = new Promise<Values>(resolve => {
      timer = setTimeout(() => {
        unavailable('metrics_late', { metric: source.name, reason: `no answer within ${timeoutMs} ms` })
        resolve([])
      }, timeoutMs)
    })
    return Promise.race([readOnce(source), late]).finally(() => clearTimeout(timer))
  }
}
