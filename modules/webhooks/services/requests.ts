/** Requests of automations, to addresses that webhooks may reach. */
import { causeHeaders, currentContext, type Deps, KIB, unworded } from '@larder-dev/larder/kernel'
import { currentTraceparent } from '../domain/trace.ts'
import { policyOf, type WebhooksOptions } from '../options.ts'
import { problems } from '../problems.ts'
import { createHttpClient, type HttpClient, type HttpResult, type RequestOptions } from './http-client.ts'

/** Part of a response that later steps read. */
const KEPT_BYTES = 8 * KIB
/** Statuses of a server that may answer another way later: a timeout, too early, too many requests. */
const TEMPORARY = new Set([408, 425, 429])

export interface OutgoingRequest {
  readonly method: NonNullable<RequestOptions['method']>
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | null
  readonly signal: AbortSignal
}
export interface Requests {
  /** Throws `request_failed` if a repetition can succeed, and `request_refused` otherwise. */
  send(request: OutgoingRequest): Promise<{ readonly status: number; readonly body: string }>
  close(): void
}

export const createConnectedRequests = (
  { outbound, secrets }: Deps<'outbound' | 'secrets'>,
  options: WebhooksOptions,
): Requests => createRequests(createHttpClient(outbound.connections(policyOf(options))), secrets)

export const createRequests = (http: HttpClient, secrets: Deps<'secrets'>['secrets']): Requests => ({
  async send({ method, url, headers, body, signal }) {
    const host = new URL(url).host
    const traceparent = currentTraceparent()
    const sent = {
      ...(traceparent !== undefined && { traceparent }),
      ...headers,
      ...causeHeaders(secrets, currentContext().depth),
    }
    const result = await http(url, sent, body, { method, keptBytes: KEPT_BYTES, signal })
    const { status, error, refused } = result
    if (refused) throw problems.request_refused({ host, reason: unworded(error ?? '') })
    if (status === null) throw problems.request_failed({ host, reason: unworded(error ?? '') })
    if (status >= 200 && status < 300) return { status, body: result.answer ?? '' }
    const reason = unworded(answerOf(status, result))
    if (status >= 500 || TEMPORARY.has(status)) throw problems.request_failed({ host, reason })
    throw problems.request_refused({ host, reason })
  },
  close: () => http.close(),
})

/**
 * Without the response, which can contain tokens and what other people wrote. A redirect isn't followed: it could lead to
 * another host.
 */
function answerOf(status: number, { type }: HttpResult): string {
  if (status >= 300 && status < 400) return `${status}, a redirect, which is not followed`
  return type === undefined ? String(status) : `${status} (${type})`
}
