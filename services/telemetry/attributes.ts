/**
 * The spans of the tracing channels, with the attributes of OpenTelemetry's semantic conventions. They contain no path, no
 * address, no value and no text of an error, any of which can be personal or a secret: docs/observability.md.
 */

import { Problem, recordedName } from '@larder-dev/larder/kernel/internal'
import { type Attributes, SpanKind } from '@opentelemetry/api'
import { operationOf, queryText } from './query-text.ts'

export interface SpanDescription {
  readonly name: string
  readonly kind: SpanKind
  /** Called only for spans that are recorded. */
  readonly attributes: () => Attributes
  /** W3C `traceparent` of what led to it. Several for a batch. */
  readonly causes?: readonly unknown[]
  /** W3C `traceparent` of a caller, who may be a stranger. */
  readonly caller?: unknown
}
export interface Outcome {
  readonly attributes: Attributes
  readonly failed: boolean
}
/** A message after the work: Node adds `error` or `result`. */
export interface EndedMessage {
  readonly error?: unknown
  readonly result?: unknown
}
export interface TracedChannel<Message> {
  /** Whether a trace can begin here, or be continued that began in another process. */
  readonly isEntry: boolean
  describe(message: Message): SpanDescription
  /** By default, an error fails the span. */
  outcome?(message: Message & EndedMessage): Outcome
  /** Before the work, with the `traceparent` of its span. */
  inject?(message: Message, traceparent: string): void
}

const SYSTEM = 'larder'
const WORKSPACE = 'larder.workspace.id'
const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE', 'CONNECT']
const SQL_STATE = /^[0-9A-Z]{5}$/

/** The class of an error, without its text. */
export function errorType(error: unknown): string {
  if (Problem.is(error)) return error.code
  const { code, name } = (error ?? {}) as { readonly code?: unknown; readonly name?: unknown }
  if (typeof code === 'string' && /^\w{1,64}$/.test(code)) return code
  return typeof name === 'string' && /^\w{1,64}$/.test(name) ? name : '_OTHER'
}

const SUCCEEDED: Outcome = { attributes: {}, failed: false }
export const outcomeOf = ({ error }: EndedMessage): Outcome =>
  error === undefined ? SUCCEEDED : { attributes: { 'error.type': errorType(error) }, failed: true }

/** A refusal is an answer, not a failure. */
const phaseOutcome = (message: EndedMessage): Outcome => {
  const { attributes, failed } = outcomeOf(message)
  return { attributes, failed: failed && !(Problem.is(message.error) && message.error.status < 500) }
}

interface RequestMessage {
  readonly request: {
    readonly id: string
    readonly method: string
    readonly route: string
    readonly module: string | undefined
    readonly headers: Readonly<Record<string, unknown>>
    readonly status: number
  }
}
const request: TracedChannel<RequestMessage> = {
  isEntry: true,
  describe({ request: { id, method, route, module, headers } }) {
    const known = METHODS.includes(method) ? method : '_OTHER'
    return {
      name: route === '' ? known : `${known} ${route}`,
      kind: SpanKind.SERVER,
      attributes: () => ({
        'http.request.method': known,
        ...(route !== '' && { 'http.route': route }),
        ...(module !== undefined && { 'larder.module': module }),
        'larder.request.id': id,
      }),
      caller: headers.traceparent,
    }
  },
  outcome({ request: { status }, error }) {
    const failed = status >= 500
    const type = error === undefined ? String(status) : errorType(error)
    return { attributes: { 'http.response.status_code': status, ...(failed && { 'error.type': type }) }, failed }
  },
}

const phase = (name: string): TracedChannel<RequestMessage> => ({
  isEntry: false,
  describe: () => ({ name: `http.${name}`, kind: SpanKind.INTERNAL, attributes: () => ({}) }),
  outcome: phaseOutcome,
})

interface BatchMessage {
  readonly statements: readonly { readonly statement: { readonly text: string } }[]
}
const batch: TracedChannel<BatchMessage> = {
  isEntry: false,
  describe({ statements }) {
    const texts = statements.map(({ statement }) => statement.text)
    const operation = texts.length === 1 ? operationOf(texts[0] ?? '') : 'BATCH'
    return {
      name: operation,
      kind: SpanKind.CLIENT,
      attributes: () => ({
        'db.system.name': 'postgresql',
        'db.operation.name': operation,
        'db.query.text': texts.map(queryText).join('; '),
        ...(texts.length > 1 && { 'db.operation.batch.size': texts.length }),
      }),
    }
  },
  outcome(message) {
    const { attributes, failed } = outcomeOf(message)
    const { code } = (message.error ?? {}) as { readonly code?: unknown }
    const state = typeof code === 'string' && SQL_STATE.test(code) ? { 'db.response.status_code': code } : {}
    return { attributes: { ...attributes, ...state }, failed }
  },
}

interface DeliveryMessage {
  readonly handler: string
  readonly events: readonly {
    readonly id: string
    readonly type: string
    readonly tenantId: string
    readonly traceparent?: string
  }[]
}
const delivery: TracedChannel<DeliveryMessage> = {
  isEntry: true,
  describe({ handler, events }) {
    const [first] = events
    const type = first?.type ?? ''
    return {
      name: `process ${type}`,
      kind: SpanKind.CONSUMER,
      attributes: () => ({
        ...processing(type),
        'messaging.consumer.group.name': handler,
        ...(events.length === 1
          ? { 'messaging.message.id': first?.id, [WORKSPACE]: first?.tenantId }
          : { 'messaging.batch.message_count': events.length }),
      }),
      causes: events.map(({ traceparent }) => traceparent),
    }
  },
}

interface JobMessage {
  readonly job: {
    readonly id: string
    readonly name: string
    readonly attempt: number
    readonly tenantId: string | null
    readonly traceparent: string | undefined
  }
}
const job: TracedChannel<JobMessage> = {
  isEntry: true,
  describe: ({ job: { id, name, attempt, tenantId, traceparent } }) => ({
    name: `process ${name}`,
    kind: SpanKind.CONSUMER,
    attributes: () => ({
      ...processing(name),
      'messaging.message.id': id,
      'larder.job.attempt': attempt,
      ...workspace(tenantId),
    }),
    causes: [traceparent],
  }),
}

interface MailMessage {
  readonly mail: { readonly id: string; readonly template: string; readonly tenantId: string | null }
}
const mail: TracedChannel<MailMessage> = {
  isEntry: false,
  describe: ({ mail: { id, template, tenantId } }) => ({
    name: `send ${template}`,
    kind: SpanKind.CLIENT,
    attributes: () => ({ 'larder.mail.id': id, 'larder.mail.template': template, ...workspace(tenantId) }),
  }),
}

interface WebhookMessage {
  readonly webhook: {
    readonly id: string
    readonly type: string
    readonly endpointId: string | null
    readonly tenantId: string
    readonly attempt: number
    readonly traceparent: string | null
  }
  readonly headers: Record<string, string>
}
const webhook: TracedChannel<WebhookMessage> = {
  isEntry: true,
  describe: ({ webhook: { id, type, endpointId, tenantId, attempt, traceparent } }) => ({
    name: 'POST',
    kind: SpanKind.CLIENT,
    attributes: () => ({
      'http.request.method': 'POST',
      ...(attempt > 1 && { 'http.request.resend_count': attempt - 1 }),
      'larder.webhook.id': id,
      'larder.webhook.type': type,
      ...(endpointId !== null && { 'larder.webhook.endpoint_id': endpointId }),
      ...workspace(tenantId),
    }),
    causes: [traceparent],
  }),
  outcome(message) {
    if (message.error !== undefined) return outcomeOf(message)
    const { status = null } = (message.result ?? {}) as { readonly status?: number | null }
    if (status === null) return { attributes: { 'error.type': 'no_response' }, failed: true }
    const failed = status >= 400
    return {
      attributes: { 'http.response.status_code': status, ...(failed && { 'error.type': String(status) }) },
      failed,
    }
  },
  inject: ({ headers }, traceparent) => void Object.assign(headers, { traceparent }),
}

interface StepMessage {
  readonly step: {
    readonly runId: string
    readonly automation: string
    readonly tenantId: string
    readonly position: number
    readonly item: number
    readonly action: string
    readonly attempt: number
  }
}
const step: TracedChannel<StepMessage> = {
  isEntry: false,
  describe: ({ step: { runId, automation, tenantId, position, item, action, attempt } }) => ({
    name: `step ${action}`,
    kind: SpanKind.INTERNAL,
    attributes: () => ({
      'larder.automation.name': automation,
      'larder.automation.run_id': runId,
      'larder.automation.position': position,
      ...(item >= 0 && { 'larder.automation.item': item }),
      'larder.automation.attempt': attempt,
      ...workspace(tenantId),
    }),
  }),
}

const processing = (destination: string): Attributes => ({
  'messaging.system': SYSTEM,
  'messaging.operation.name': 'process',
  'messaging.operation.type': 'process',
  'messaging.destination.name': destination,
})
const workspace = (tenantId: string | null): Attributes => (tenantId === null ? {} : { [WORKSPACE]: tenantId })

const PHASES = ['limits', 'tenant', 'authenticate', 'allow', 'parse', 'validate', 'unit', 'handle', 'serialize', 'send']

/** By the names of the channels. */
export const CHANNELS: Readonly<Record<string, TracedChannel<never>>> = {
  'larder.http.request': request,
  ...Object.fromEntries(PHASES.map(name => [recordedName(`larder.http.${name}`), phase(name)])),
  [recordedName('larder.postgres.batch')]: batch,
  'larder.outbox.delivery': delivery,
  'larder.jobs.run': job,
  'larder.comms.mail': mail,
  'larder.webhooks.send': webhook,
  'larder.automations.step': step,
}
