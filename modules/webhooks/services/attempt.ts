/** One attempt to send a delivery. */
import { tracingChannel } from 'node:diagnostics_channel'
import { causeHeaders, type Deps, inEnglish, Problem, SECOND } from '@larder-dev/larder/kernel'
import type { ClaimedDelivery } from '../domain/delivery.ts'
import { TEST_TYPE } from '../domain/event-types.ts'
import { toBody } from '../domain/payload.ts'
import { evaluateAttempt } from '../domain/retry-schedule.ts'
import { signedHeaders } from '../domain/signature.ts'
import { problems } from '../problems.ts'
import type { Attempt } from './delivery-queue.ts'
import type { HttpClient, HttpResult } from './http-client.ts'
import type { SecretStore } from './secret-store.ts'

/** docs/observability.md. A subscriber may add headers before the request is sent. */
const sends = tracingChannel<unknown, { readonly webhook: TracedWebhook; readonly headers: Record<string, string> }>(
  'larder.webhooks.send',
)
interface TracedWebhook {
  readonly id: string
  readonly type: string
  readonly endpointId: string | null
  readonly tenantId: string
  readonly attempt: number
  readonly traceparent: string | null
}

export type SenderDeps = Deps<
  'database' | 'systemDatabase' | 'clock' | 'events' | 'log' | 'secrets' | 'webhookTargets' | 'caches'
> & { readonly secretStore: SecretStore }

/** Sends one delivery. Resolves with undefined if it was aborted or could not be attempted. Never rejects. */
export function createAttempt(deps: SenderDeps, http: HttpClient) {
  const { clock, log, webhookTargets, secretStore } = deps

  async function send(delivery: ClaimedDelivery, at: number): Promise<HttpResult> {
    const refusal = webhookTargets.refusal(delivery.url)
    if (refusal) return { status: null, error: `the URL ${inEnglish(refusal)}`, refused: true, answer: null }
    const owner = { tenantId: delivery.tenant_id, endpointId: delivery.endpoint_id }
    const secrets = await secretStore.getSigning(owner, delivery.secrets)
    const body = toBody(delivery, at)
    const signed = signedHeaders(secrets, { id: delivery.id, timestamp: Math.floor(at / SECOND), body })
    const cause = causeHeaders(deps.secrets, delivery.depth)
    const headers = { 'content-type': 'application/json', 'user-agent': 'Larder-Webhooks/1', ...signed, ...cause }
    const { id, type, endpoint_id: endpointId, tenant_id: tenantId, attempts, traceparent } = delivery
    const traced = { webhook: { id, type, endpointId, tenantId, attempt: attempts + 1, traceparent }, headers }
    return sends.tracePromise(() => http(delivery.url, headers, body), traced)
  }

  return async (delivery: ClaimedDelivery): Promise<Attempt | undefined> => {
    const at = clock.now()
    const started = performance.now()
    try {
      const stopped = stoppedReason(delivery)
      if (stopped) {
        const { reason, error } = stopped
        const outcome = { status: null, error, answer: null }
        return { delivery, at, duration: 0, outcome, result: { status: 'dead', reason } }
      }
      const outcome = await send(delivery, at).catch(toUnsigned)
      if (outcome.aborted) return undefined
      const duration = Math.round(performance.now() - started)
      return { delivery, at, duration, outcome, result: evaluateAttempt(outcome, delivery.failures + 1, at + duration) }
    } catch (error) {
      log.warn({ err: error, delivery: delivery.id }, 'failed to sign a webhook; it is retried after a few seconds')
      return undefined
    }
  }
}

type Stopped = { readonly reason: 'paused' | 'deleted'; readonly error: string }

/** Set for a delivery that was queued while its workspace was being deleted, or its endpoint paused or deleted. */
function stoppedReason(delivery: ClaimedDelivery): Stopped | undefined {
  const { endpoint_id, endpoint_status, tenant_stopped, type } = delivery
  if (tenant_stopped) return { reason: 'deleted', error: 'the workspace was deleted' }
  if (endpoint_id === null || endpoint_status === 'active') return undefined
  if (endpoint_status === null) return { reason: 'deleted', error: 'the endpoint was deleted' }
  return type === TEST_TYPE ? undefined : { reason: 'paused', error: 'the endpoint was paused' }
}

/** A rotation repairs a secret that can't be decrypted, and a retry then succeeds. */
function toUnsigned(error: unknown): HttpResult {
  if (!Problem.is(error) || error.code !== problems.secret_unreadable.code) throw error
  return { status: null, error: error.message, answer: null }
}
