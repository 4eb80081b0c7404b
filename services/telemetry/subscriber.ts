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
  readonly context: Context
  readonly #work: Work
  constructor(context: Context, work: Work) {
    this.context = context
    this.#work = work
  }
  get span(): Span | undefined {
    return this.#work.hasEnded ? undefined : trace.getSpan(this.context)
  }
  get traceparent(): string | undefined {
    const { span } = this
    return span && formatTraceparent(span.spanContext())
  }
  /** The same work with another context of OpenTelemetry. */
  with(context: Context): SpanTrace {
    return new SpanTrace(context, this.#work)
  }
}

export const currentTrace = (): SpanTrace | undefined => {
  const current = currentContext().trace
  return current instanceof SpanTrace ? current : undefined
}

interface Open {
  readonly span: Span
  /** Set for spans with which the work of this process begins. */
  readonly work?: Work
}
type AnyChannel = TracedChannel<object>

/**
 * Subscribes to all channels, those within a request or a job only while one of them is recorded: the others then cost
 * nothing. Without `trustsCallers`, a request begins a trace, which links to that of its caller: a stranger then decides
 * neither the ID of a trace nor whether it is recorded. Returns a function that ends this.
 */
export function subscribeToChannels(tracer: Tracer, trustsCallers: boolean): () => void {
  const open = new WeakMap<object, Open>()
  const channels = Object.entries(CHANNELS) as unknown as readonly (readonly [string, AnyChannel])[]
  const entries = channels.filter(([, { isEntry }]) => isEntry)
  const inner = channels.filter(([, { isEntry }]) => !isEntry)
  let recording = 0
  let endInner: (() => void) | undefined

  function begin(message: object, channel: AnyChannel): KernelContext | undefined {
    const { name, kind, attributes, causes = [], caller } = channel.describe(message)
    const { parent, links } = trustsCallers ? originOf([...causes, caller]) : originOf(causes, [caller])
    const span = tracer.startSpan(name, { kind, attributes, links }, parent)
    const work = { hasEnded: false }
    open.set(message, { span, work })
    if (span.isRecording() && recording++ === 0) endInner = subscribeAll(inner, enter)
    channel.inject?.(message, formatTraceparent(span.spanContext()))
    return { trace: new SpanTrace(trace.setSpan(parent, span), work) }
  }

  function enter(message: object, channel: AnyChannel): KernelContext | undefined {
    const current = currentTrace()
    if (!current?.span?.isRecording()) return undefined
    const { name, kind, attributes } = channel.describe(message)
    const span = tracer.startSpan(name, { kind, attributes }, current.context)
    open.set(message, { span })
    return { trace: current.with(trace.setSpan(current.context, span)) }
  }

  function end(message: object & EndedMessage, channel: AnyChannel): void {
    const found = open.get(message)
    if (!found) return
    open.delete(message)
    const { span, work } = found
    if (work) work.hasEnded = true
    if (!span.isRecording()) return
    const { attributes, failed } = (channel.outcome ?? outcomeOf)(message)
    span.setAttributes(attributes)
    if (failed) span.setStatus({ code: SpanStatusCode.ERROR })
    span.end()
    if (!work || --recording > 0) return
    endInner?.()
    endInner = undefined
  }

  function subscribeAll(
    list: typeof channels,
    start: (message: object, channel: AnyChannel) => KernelContext | undefined,
  ): () => void {
    const ends = list.map(([name, channel]) => {
      const begins = harmless((message: object) => start(message, channel))
      const finish = harmless((message: unknown) => end(message as object, channel))
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
    })
    return () => {
      for (const each of ends) each()
    }
  }

  const endEntries = subscribeAll(entries, begin)
  return () => {
    endEntries()
    endInner?.()
    endInner = undefined
  }
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
