/** Spans in memory, and the traces that a test begins with its requests. */
import { randomBytes } from 'node:crypto'
import { InMemorySpanExporter, type ReadableSpan } from '@opentelemetry/sdk-trace-base'
import { pino } from 'pino'
import { openTracing } from '../../../services/telemetry/tracing.ts'
import { waitFor } from '../../fixtures/wait.ts'

export interface TestTrace {
  readonly id: string
  /** The span that the requests of the test claim to come from. */
  readonly spanId: string
  readonly headers: { readonly traceparent: string }
}
export function newTrace(flags: '00' | '01' = '01'): TestTrace {
  const [id, spanId] = [randomBytes(16).toString('hex'), randomBytes(8).toString('hex')]
  return { id, spanId, headers: { traceparent: `00-${id}-${spanId}-${flags}` } }
}

export interface Collector {
  /** The finished spans of a trace, once those of these names are among them. */
  spans(trace: Pick<TestTrace, 'id'>, ...names: readonly string[]): Promise<readonly ReadableSpan[]>
  all(): readonly ReadableSpan[]
  close(): Promise<void>
}

/** Exports what every product of this process does, a few milliseconds after it has ended. */
export async function startCollector({ trustTraceparent = true } = {}): Promise<Collector> {
  const exporter = new InMemorySpanExporter()
  const [endpoint, log] = ['http://127.0.0.1:4318/v1/traces', pino({ level: 'silent' })]
  process.env.OTEL_BSP_SCHEDULE_DELAY = '5'
  const close = await openTracing({ endpoint, serviceName: 'test', version: '1', log, trustTraceparent, exporter })
  delete process.env.OTEL_BSP_SCHEDULE_DELAY
  const all = () => exporter.getFinishedSpans()
  return {
    all,
    spans: ({ id }, ...wanted) =>
      waitFor(
        // `waitFor` shows what it waits for.
        () => all().flatMap(span => (span.spanContext().traceId === id ? [span.name] : [])),
        names => wanted.every(name => names.includes(name)),
      ).then(() => all().filter(span => span.spanContext().traceId === id)),
    close,
  }
}

export const named = (spans: readonly ReadableSpan[], name: string): ReadableSpan => {
  const found = spans.find(span => span.name === name)
  if (!found) throw new Error(`no span ${name} among ${spans.map(span => span.name).join(', ')}`)
  return found
}

/** The names of a span and of those around it, from the inside out. */
export function pathOf(spans: readonly ReadableSpan[], name: string): string[] {
  const byId = new Map(spans.map(span => [span.spanContext().spanId, span]))
  const path: string[] = []
  for (
    let span: ReadableSpan | undefined = named(spans, name);
    span;
    span = byId.get(span.parentSpanContext?.spanId ?? '')
  )
    path.push(span.name)
  return path
}
