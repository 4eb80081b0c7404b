/** Prometheus metrics of one process. */
import { createRequire } from 'node:module'
import type { Logger } from 'pino'
import type { Metric, Registry } from 'prom-client'
import type { MetricSource } from '../types.ts'
import { createMetricReader } from './reader.ts'
import { createResponseTimes, type ResponseTimes } from './response-times.ts'
import { createWorkCounts } from './work-counts.ts'

export interface Metrics {
  /**
   * Created on first use, because loading prom-client and measuring the process slow the start. The default metrics of
   * events, such as garbage collections, count from then on.
   */
  registry(): Registry
  close(): void
  readonly responseTimes: ResponseTimes
  /** `pattern` is a route, never a path, to keep the number of label values small. */
  observe(method: string, pattern: string, status: number, seconds: number): void
}

const DURATION_BUCKETS_SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]
const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']

const require = createRequire(import.meta.url)

interface Series {
  readonly method: string
  readonly route: string
  /** Responses by bucket; the last slot counts slower ones. */
  readonly buckets: number[]
  readonly statuses: Map<number, number>
  sum: number
}

/** @param sources metrics of modules. */
export function createMetrics(sources: readonly MetricSource[], log: Logger): Metrics {
  const responseTimes = createResponseTimes()
  const series = new Map<string, Map<string, Series>>()
  let created: Registry | undefined
  const work = createWorkCounts()
  const read = createMetricReader(log)

  function createRegistry(): Registry {
    const { collectDefaultMetrics, Registry } = require('prom-client') as typeof import('prom-client')
    const registry = new Registry()
    collectDefaultMetrics({ register: registry })
    // `promtool check metrics` reserves the suffix for counters. Metrics by type have the same numbers.
    for (const { name, type } of registry.getMetricsAsArray())
      if (name.endsWith('_total') && String(type) !== 'counter') registry.removeSingleMetric(name)
    registry.registerMetric(
      asMetric('larder_http_requests_total', 'Responses by method, route and status', 'counter', () => totals(all())),
    )
    registry.registerMetric(
      asMetric(
        'larder_http_request_duration_seconds',
        'Time from request headers to response headers, by method and route',
        'histogram',
        () => durations(all()),
      ),
    )
    for (const source of [...work.metrics, ...sources])
      registry.registerMetric(asMetric(source.name, source.help, source.type, () => read(source)))
    return registry
  }
  const all = () => [...series.values()].flatMap(methods => [...methods.values()])

  function seriesOf(method: string, pattern: string): Series {
    const methods = series.get(pattern) ?? new Map<string, Series>()
    const known = METHODS.includes(method) ? method : 'other'
    const made = methods.get(known) ?? {
      method: known,
      route: pattern || 'unmatched',
      buckets: DURATION_BUCKETS_SECONDS.concat(0).fill(0),
      statuses: new Map(),
      sum: 0,
    }
    series.set(pattern, methods.set(known, made))
    return made
  }
  return {
    registry: () => (created ??= createRegistry()),
    close() {
      work.close()
      created?.clear()
    },
    responseTimes,
    observe(method, pattern, status, seconds) {
      const one = series.get(pattern)?.get(method) ?? seriesOf(method, pattern)
      let slot = 0
      while (slot < DURATION_BUCKETS_SECONDS.length && seconds > (DURATION_BUCKETS_SECONDS[slot] as number)) slot++
      one.buckets[slot] = (one.buckets[slot] ?? 0) + 1
      one.statuses.set(status, (one.statuses.get(status) ?? 0) + 1)
      one.sum += seconds
      responseTimes.add(seconds * 1000)
    },
  }
}

interface Value {
  readonly labels: Readonly<Record<string, string | number>>
  readonly value: number
  readonly metricName?: string
}

/** prom-client hashes the labels of each observation, 3 µs per request, so these are counted here and exported by it. */
function asMetric(
  name: string,
  help: string,
  type: 'counter' | 'gauge' | 'histogram',
  values: () => readonly Value[] | Promise<readonly Value[]>,
): Metric {
  const get = async () => ({ name, help, type, values: await values(), aggregator: 'sum' })
  return { name, help, type, get, reset: () => undefined } as unknown as Metric
}

const totals = (series: readonly Series[]): Value[] =>
  series.flatMap(({ method, route, statuses }) =>
    [...statuses].map(([status, value]) => ({ labels: { method, route, status }, value })),
  )

function durations(series: readonly Series[]): Value[] {
  const base = 'larder_http_request_duration_seconds'
  return series.flatMap(({ method, route, buckets, sum }) => {
    let count = 0
    const steps = buckets.map((value, slot) => {
      count += value
      return {
        labels: { le: DURATION_BUCKETS_SECONDS[slot] ?? '+Inf', method, route },
        value: count,
        metricName: `${base}_bucket`,
      }
    })
    const labels = { method, route }
    return [
      ...steps,
      { labels, value: sum, metricName: `${base}_sum` },
      { labels, value: count, metricName: `${base}_count` },
    ]
  })
}
