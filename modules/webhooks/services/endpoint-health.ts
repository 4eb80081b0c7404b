/** Failures of endpoints: records when they began, and pauses an endpoint that fails for days or returned 410. */
import type { Deps, Step, Unit } from '@larder-dev/larder/kernel'
import type { DeadReason } from '../domain/delivery.ts'
import { PAUSE_AFTER_MS, type PauseReason } from '../domain/endpoint.ts'
import { TEST_TYPE } from '../domain/event-types.ts'
import type { AttemptResult } from '../domain/retry-schedule.ts'
import { STOP_DELIVERIES } from './endpoint-repository.ts'

interface EndpointAttempt {
  readonly delivery: { readonly type: string; readonly endpoint_id: string | null }
  readonly result: AttemptResult
}
interface Paused {
  readonly id: string
  readonly tenant_id: string
  readonly pause_reason: PauseReason
}

/** No request was sent, so the receiver isn't at fault. */
const NOT_SENT: readonly DeadReason[] = ['paused', 'deleted']

/** Attempts to endpoints, grouped by endpoint. Tests don't count. */
function byEndpoint(attempts: readonly EndpointAttempt[]): Map<string, AttemptResult[]> {
  const results = new Map<string, AttemptResult[]>()
  for (const { delivery, result } of attempts) {
    const { type, endpoint_id } = delivery
    if (endpoint_id === null || type === TEST_TYPE) continue
    if (result.status === 'dead' && NOT_SENT.includes(result.reason)) continue
    results.set(endpoint_id, [...(results.get(endpoint_id) ?? []), result])
  }
  return results
}

const isSuccess = ({ status }: AttemptResult): boolean => status === 'delivered'
const isGone = (result: AttemptResult): boolean => result.status === 'dead' && result.reason === 'gone'

export function createEndpointHealth({ clock, events }: Deps<'clock' | 'events'>) {
  return {
    /** Statements that end the period of failures of endpoints with a success. */
    successSteps: (attempts: readonly EndpointAttempt[]): Step[] => {
      const ids = [...byEndpoint(attempts)].filter(([, results]) => results.some(isSuccess)).map(([id]) => id)
      if (ids.length === 0) return []
      const text = 'update webhooks_endpoints set failing_since = null where id = any($1) and failing_since is not null'
      return [[text, [ids]]]
    },

    /** Whether `recordFailures` has something to do. */
    mayPause: (attempts: readonly EndpointAttempt[]): boolean =>
      [...byEndpoint(attempts).values()].some(results => !results.every(isSuccess)),

    /** Pauses endpoints, and publishes an event for each, in the unit of work of the attempts. */
    async recordFailures(unit: Unit, attempts: readonly EndpointAttempt[]): Promise<void> {
      const endpoints = [...byEndpoint(attempts)]
      const gone = endpoints.filter(([, results]) => results.some(isGone)).map(([id]) => id)
      const failing = endpoints.filter(([, results]) => !results.some(isSuccess)).map(([id]) => id)
      const now = new Date(clock.now())
      const { paused } = await unit.all({
        failing: [
          'update webhooks_endpoints set failing_since = $2 where id = any($1) and failing_since is null',
          [failing, now],
        ],
        paused: [
          `update webhooks_endpoints
           set status = 'paused', pause_reason = case when id = any($2) then 'gone' else 'failing' end, paused_at = $3,
             revision = revision + 1, updated_at = $3
           where status = 'active' and (id = any($2) or (id = any($1) and failing_since <= $4))
           returning id, tenant_id, pause_reason`,
          [failing, gone, now, new Date(clock.now() - PAUSE_AFTER_MS)],
        ],
      })
      for (const { id, tenant_id, pause_reason } of paused.rows as unknown as Paused[]) {
        await unit.query(STOP_DELIVERIES, [id, 'paused', now])
        const payload = { endpointId: id, reason: pause_reason }
        await events.publish('webhooks.endpoint.paused', { tenantId: tenant_id, subject: id, payload })
      }
    },
  }
}
