/** Makes a span of each message of a tracing channel: docs/observability.md. */
import { channel as channelOf, subscribe, unsubscribe } from 'node:diagnostics_channel'
import {
  bindContext,
  currentContext,
  type Context as KernelContext,
  reasonOf,
  type Trace,
} from '@larder-dev/larder/kernel/internal'
import {
  type Context,
  diag,
  type Link,
  ROOT_CONTEXT,
  type Span,
  type SpanContext,
  SpanStatusCode,
  TraceFlags,
  type Tracer,
  trace,
} from '@opentelemetry/api'
import { CHANNELS, type EndedMessage, outcomeOf, type TracedChannel } from './attributes.ts'
import { formatTraceparent, parseTraceparent } from './traceparent.ts'

/** What a trace has of the work of this process: a request, a delivery, a job or a webhook. */
interface Work {
  hasEnded: boolean
}

/** The part of the kernel's context that belongs to telemetry. */
export class SpanTrace implements Trace {
  readonly #parent: Context
  readonly #work: Work
  readonly #span: Span | undefined
  #context: Context | undefined
  /** The work has `span`, or what `parent` has. */
  constructor(parent: Context, work: Work, span?: Span) {
    this.#parent = parent
    this.#work = work
    this.#span = span
  }
  get context(): Context {
    this.#context ??= this.#span ? trace.setSpan(this.#parent, this.#span) : this.#parent
    return this.#context
  }
  get span(): Span | undefined {
    return this.#work.hasEnded ? undefined : (this.#span ?? trace.getSpan(this.#parent))
  }
  get isRecorded(): boolean {
    return this.span?.isRecording() === true
  }
  get traceparent(): string | undefined {
    const { span } = this
    return span && formatTraceparent(span.spanContext())
  }
  /** The same work within another context of OpenTelemetry, as `span` of it if one is given. */
  within(context: Context, span?: Span): SpanTrace {
    return new SpanTrace(context, this.#work, span)
  }
}

export const currentTrace = (): SpanTrace | undefined => {
  const current = currentContext().trace
  return current instanceof SpanTrace ? current : undefined
}

/** Where a message has its span: a WeakMap of all messages would cost more than the spans that are not recorded. */
const OPEN = Symbol('span')
interface Open {
  readonly span: Span
  /** Set for spans with which the work of this process begins. */
  readonly work?: Work
}
type Message = object & { [OPEN]?: Open | undefined }
type AnyChannel = TracedChannel<object>

/**
 * Subscribes to the channels. Without `trustsCallers`, a request begins a trace, which links to that of its caller: a
 * stranger then decides neither the ID of a trace nor whether it is recorded. Returns a function that ends this.
 */
export function subscribeToChannels(tracer: Tracer, trustsCallers: boolean): () => void {
  function begin(message: Message, channel: AnyChannel): KernelContext {
    const { name, kind, attributes, causes = [], caller } = channel.describe(message)
    const { parent, links } = trustsCallers ? originOf([...causes, caller]) : originOf(causes, [caller])
    // The samplers don't look at attributes, and most spans are not recorded.
    const span = tracer.startSpan(name, { kind, links }, parent)
    if (span.isRecording()) span.setAttributes(attributes())
    const work = { hasEnded: false }
    message[OPEN] = { span, work }
    channel.inject?.(message, formatTraceparent(span.spanContext()))
    return { trace: new SpanTrace(parent, work, span) }
  }

  function enter(message: Message, channel: AnyChannel): KernelContext | undefined {
    const current = currentTrace()
    if (!current?.isRecorded) return undefined
    const { name, kind, attributes } = channel.describe(message)
    const span = tracer.startSpan(name, { kind, attributes: attributes() }, current.context)
    message[OPEN] = { span }
    return { trace: current.within(current.context, span) }
  }

  const ends = (Object.entries(CHANNELS) as unknown as readonly (readonly [string, AnyChannel])[]).map(
    ([name, channel]) => {
      const start = channel.isEntry ? begin : enter
      const begins = harmless((message: object) => start(message, channel))
      const finish = harmless((message: unknown) => end(message as Message, channel))
      const unbind = bindContext(channelOf(`tracing:${name}:start`), begins)
      // The end of synchronous work has its result; that of a promise, which comes before `asyncEnd`, has none yet.
      const finishSync = (message: unknown) => {
        if ('result' in (message as object) || 'error' in (message as object)) finish(message)
      }
      subscribe(`tracing:${name}:asyncEnd`, finish)
      subscribe(`tracing:${name}:end`, finishSync)
      return () => {
        unbind()
        unsubscribe(`tracing:${name}:asyncEnd`, finish)
        unsubscribe(`tracing:${name}:end`, finishSync)
      }
    },
  )
  return () => {
    for (const each of ends) each()
  }
}

function end(message: Message & EndedMessage, channel: AnyChannel): void {
  const found = message[OPEN]
  if (!found) return
  message[OPEN] = undefined
  const { span, work } = found
  if (work) work.hasEnded = true
  if (!span.isRecording()) return
  const { attributes, failed } = (channel.outcome ?? outcomeOf)(message)
  span.setAttributes(attributes)
  if (failed) span.setStatus({ code: SpanStatusCode.ERROR })
  span.end()
}

/** Node ends the process after an error of a subscriber. */
const harmless =
  <Message, Result>(work: (message: Message) => Result) =>
  (message: Message): Result | undefined => {
    try {
      return work(message)
    } catch (error) {
      diag.error(`a span is missing or incomplete: ${reasonOf(error)}`)
      return undefined
    }
  }

/** A batch belongs to the trace of the first of its messages that is recorded, and links to the others. */
function originOf(
  causes: readonly unknown[],
  others: readonly unknown[] = [],
): { readonly parent: Context; readonly links: Link[] } {
  const known = spanContexts(causes)
  const first = known.find(({ traceFlags }) => traceFlags & TraceFlags.SAMPLED) ?? known[0]
  const links = [...known, ...spanContexts(others)].filter(context => context !== first).map(context => ({ context }))
  return { parent: first ? trace.setSpanContext(ROOT_CONTEXT, first) : ROOT_CONTEXT, links }
}

const spanContexts = (texts: readonly unknown[]): SpanContext[] =>
  texts.map(parseTraceparent).filter(context => context !== undefined)
