/** Announces an outage of the collector, and its end: one line each, however many exports fail. */
import { reasonOf } from '@larder-dev/larder/kernel/internal'
import type { ReadableSpan, SpanExporter } from '@opentelemetry/sdk-trace-base'
import type { Logger } from 'pino'

type Result = Parameters<Parameters<SpanExporter['export']>[1]>[0]
const SUCCESS = 0

export function announcing(exporter: SpanExporter, log: Logger, endpoint: string): SpanExporter {
  /** Spans since the first failed export; undefined without an outage. */
  let lost: number | undefined

  function settle({ code, error }: Result, spans: readonly ReadableSpan[]): void {
    if (code === SUCCESS) {
      if (lost !== undefined) log.info({ lost }, 'traces are exported again')
      lost = undefined
      return
    }
    if (lost === undefined)
      log.warn(
        { endpoint, reason: reasonOf(error) },
        'traces are not exported until the collector accepts them; they are lost',
      )
    lost = (lost ?? 0) + spans.length
  }

  return {
    export(spans, done) {
      exporter.export(spans, result => {
        settle(result, spans)
        // The failure is announced: the processor would report each one.
        done({ code: SUCCESS })
      })
    },
    forceFlush: async () => exporter.forceFlush?.(),
    shutdown: () => exporter.shutdown(),
  }
}
