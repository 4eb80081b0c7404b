/** Liveness, readiness and metrics. */

import { timingSafeEqual } from 'node:crypto'
import { common, isLoopback, reasonOf, SECOND, unlessAnnounced } from '@larder-dev/larder/kernel/internal'
import type { Logger } from 'pino'
import type { Serve } from '../api/pipeline.ts'
import { RETRY_AFTER_SECONDS } from '../problems.ts'
import type { ResponseWriter } from '../response-writer.ts'
import type { CheckResult, HttpOptions } from '../types.ts'
import type { Metrics } from './metrics.ts'

const CHECK_TIMEOUT_MS = 3 * SECOND
/** Message of the log. */
const NOT_READY = 'not ready'

export interface HealthDeps {
  readonly writer: ResponseWriter
  readonly checks: () => Promise<readonly CheckResult[]>
  readonly stopping: () => boolean
  readonly log: Logger
}

export function createHealth({ writer, checks, stopping, log }: HealthDeps): { live: Serve; ready: Serve } {
  let pending: Promise<readonly CheckResult[]> | undefined
  /** Concurrent probes share one run. */
  const runChecks = () => {
    pending ??= withinTime(checks(), CHECK_TIMEOUT_MS).finally(() => {
      pending = undefined
    })
    return pending
  }
  return {
    live: async ctx => writer.json(ctx, 200, { status: 'ok' }),
    ready: async ctx => {
      const results = await runChecks().catch((error: unknown) => [failed(error)])
      const all = stopping()
        ? [...results, { name: 'stopping', ok: false, error: new Error('the process is stopping') }]
        : results
      const wrong = all.filter(result => !result.ok)
      for (const { name, error } of wrong) {
        const fields = { check: name, reason: reasonOf(error) }
        const withhold = () => log.debug(fields, NOT_READY)
        unlessAnnounced(error, NOT_READY, { write: () => log.warn(fields, NOT_READY), withhold })
      }
      const checked = Object.fromEntries(all.map(({ name, ok }) => [name, ok ? 'ok' : 'failed']))
      if (wrong.length === 0) return writer.json(ctx, 200, { status: 'ready', checks: checked })
      writer.json(ctx, 503, { status: 'not_ready', checks: checked }, { 'retry-after': String(RETRY_AFTER_SECONDS) })
    },
  }
}

const failed = (error: unknown): CheckResult => ({ name: 'checks', ok: false, error })

async function withinTime<T>(work: Promise<T>, ms: number): Promise<T> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`no answer within ${ms} ms`)), ms)
  })
  return Promise.race([work, late]).finally(() => clearTimeout(timer))
}

/**
 * Open to requests with METRICS_TOKEN. Without a token set, also to requests from this host in development: in
 * production, a proxy on this host may forward anyone's requests without a header that shows it.
 */
export function createMetricsRoute(
  writer: ResponseWriter,
  metrics: Metrics,
  { metricsToken, production, trustProxy }: HttpOptions['settings'],
): Serve {
  const isLocalAllowed = metricsToken === undefined && !production && trustProxy === 0
  return async ctx => {
    const isLocal = isLocalAllowed && isLoopback(ctx.req.socket.remoteAddress, ctx.req.headers)
    if (!isLocal && !shows(ctx.req.headers.authorization, metricsToken))
      return writer.fail(ctx, common.unauthenticated())
    const registry = metrics.registry()
    writer.send(ctx, 200, registry.contentType, await registry.metrics())
  }
}

function shows(authorization: string | undefined, token: string | undefined): boolean {
  if (token === undefined || authorization === undefined) return false
  const given = Buffer.from(authorization)
  const wanted = Buffer.from(`Bearer ${token}`)
  return given.length === wanted.length && timingSafeEqual(given, wanted)
}
