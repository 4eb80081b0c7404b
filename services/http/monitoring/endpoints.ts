/** The endpoints of operators: health checks and metrics. */
import type { Serve } from '../api/pipeline.ts'
import { createHealth, createMetricsRoute, type HealthDeps } from './health.ts'
import type { Metrics } from './metrics.ts'
import { createSeenRequest, SEEN_REQUEST_PATH, type SeenRequestDeps } from './seen-request.ts'

/** Path → handler of its GET. All are public; metrics and what a request looks like here check their caller themselves. */
export interface MonitoringEndpoints {
  /** Those of the public port. */
  readonly onPublicPort: ReadonlyMap<string, Serve>
  /** Those of `METRICS_PORT`. */
  readonly onOwnPort: ReadonlyMap<string, Serve>
}

export interface MonitoringDeps extends HealthDeps, SeenRequestDeps {
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
  const onPublicPort = new Map(settings.metricsPort === undefined ? all : health)
  return { onPublicPort: onPublicPort.set(SEEN_REQUEST_PATH, createSeenRequest(deps)), onOwnPort: all }
}
