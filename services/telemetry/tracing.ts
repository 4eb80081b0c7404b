/** OpenTelemetry's SDK, once per process. */
import { setTimeout as wait } from 'node:timers/promises'
import {
  assertInstalled,
  createCountedWarnings,
  HOUR,
  once,
  SECOND,
  TRACING_PACKAGES,
} from '@larder-dev/larder/kernel/internal'
import type { SpanExporter } from '@opentelemetry/sdk-trace-base'
import type { Logger } from 'pino'

/** A collector that doesn't respond delays a stop no longer. */
const FLUSH_TIMEOUT_MS = 2 * SECOND

export interface TracingOptions {
  readonly endpoint: string
  /** By default; `OTEL_SERVICE_NAME` and `OTEL_RESOURCE_ATTRIBUTES` take precedence. */
  readonly serviceName: string
  readonly version: string
  readonly log: Logger
  /** Whether requests continue the trace of their caller. Otherwise they link to it. */
  readonly trustTraceparent: boolean
  /** Instead of one to the endpoint. */
  readonly exporter?: SpanExporter
}

let running: { readonly close: Promise<() => Promise<void>>; users: number } | undefined

/**
 * Begins to trace. Products in one process share what the first one has set. Returns a function that sends what is left and
 * ends it. @throws OperatorError `package_missing`
 */
export async function openTracing(options: TracingOptions): Promise<() => Promise<void>> {
  running ??= { close: start(options), users: 0 }
  const mine = running
  mine.users++
  const leave = once(async () => {
    if (--mine.users > 0) return
    if (running === mine) running = undefined
    await (await mine.close)()
  })
  try {
    await mine.close
  } catch (error) {
    if (running === mine) running = undefined
    throw error
  }
  return leave
}

async function start(options: TracingOptions): Promise<() => Promise<void>> {
  const { endpoint, serviceName, version, log, trustTraceparent, exporter } = options
  assertInstalled(...TRACING_PACKAGES)
  const [{ context, diag, DiagLogLevel, trace }, { OTLPTraceExporter }, resources, sdk] = await Promise.all([
    import('@opentelemetry/api'),
    import('@opentelemetry/exporter-trace-otlp-proto'),
    import('@opentelemetry/resources'),
    import('@opentelemetry/sdk-trace-base'),
  ])
  const [{ contextManager }, { subscribeToChannels }, { announcing }] = await Promise.all([
    import('./context-manager.ts'),
    import('./subscriber.ts'),
    import('./exporter.ts'),
  ])
  const warn = createCountedWarnings({
    log,
    first: 'OpenTelemetry reports a problem',
    more: 'OpenTelemetry has reported more problems',
    intervalMs: HOUR,
  })
  const report = (reason: string) => warn('telemetry', { reason })
  const ignore = () => undefined
  diag.setLogger(
    { error: report, warn: report, info: ignore, debug: ignore, verbose: ignore },
    { logLevel: DiagLogLevel.WARN, suppressOverrideMessage: true },
  )
  const named = resources.resourceFromAttributes({ 'service.name': serviceName, 'service.version': version })
  const resource = resources
    .defaultResource()
    .merge(named)
    .merge(resources.detectResources({ detectors: [resources.envDetector] }))
  const sender = announcing(exporter ?? new OTLPTraceExporter({ url: endpoint }), log, endpoint)
  const provider = new sdk.BasicTracerProvider({ resource, spanProcessors: [new sdk.BatchSpanProcessor(sender)] })
  const isFirst = trace.setGlobalTracerProvider(provider) && context.setGlobalContextManager(contextManager)
  const unsubscribe = subscribeToChannels(provider.getTracer('larder', version), trustTraceparent)
  if (!isFirst)
    log.warn('another OpenTelemetry SDK runs in this process: spans of modules are not part of the traces of Larder')
  return async () => {
    unsubscribe()
    if (isFirst) {
      trace.disable()
      context.disable()
    }
    diag.disable()
    const sent = provider
      .shutdown()
      .catch((error: unknown) => log.debug({ err: error }, 'the last spans were not exported'))
    const timeout = new AbortController()
    const late = wait(FLUSH_TIMEOUT_MS, undefined, timeout).catch(ignore)
    await Promise.race([sent, late])
    timeout.abort()
  }
}
