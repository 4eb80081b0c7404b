/** The endpoints of operators: health checks and metrics. */
import type { Serve } from '../api/pipeline.ts'
import type { ResponseWriter } from '../response-writer.ts'
import type { HttpOptions } from '../types.ts'
import { createHealth, createMetricsRoute, type HealthDeps } from './health.ts'
import type { Metrics } from './metrics.ts'

/** Path → handler of its GET. All are public; the metrics endpoint checks its caller itself. */
export interface MonitoringEndpoints {
  /** Those of the public port. */
  readonly onPublicPort: ReadonlyMap<string, Serve>
  /** Those of `METRICS_PORT`. */
  readonly onOwnPort: ReadonlyMap<string, Serve>
}

export interface MonitoringDeps extends HealthDeps, Pick<HttpOptions, 'settings'> {
  readonly writer: ResponseWriter
  readonly metrics: Metrics
}

/** `METRICS_PORT` moves the metrics to that port. Health checks are on both: a proxy asks the public one. */
export function monitoringEndpoints(deps: MonitoringDeps): MonitoringEndpoints {
  const { writer, metrics, settings } = deps
  const { live, ready } = createHealth(deps)
  const health = new Map<string, Serve>([
    ['/healthz', live],
    ['/v1/health', live],
    ['/v1/health/readiness', ready],
  ])
  const all = new Map(health).set('/metrics', createMetricsRoute(writer, metrics, settings))
  return { onPublicPort: settings.metricsPort === undefined ? all : health, onOwnPort: all }
}
