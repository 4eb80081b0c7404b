/** W3C Trace Context: https://www.w3.org/TR/trace-context/. `tracestate` isn't read or written. */
import { isSpanContextValid, type SpanContext, TraceFlags } from '@opentelemetry/api'

/** A later version may add fields. Version ff is invalid. */
const FORM = /^(?!ff)([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(-.*)?$/

/** Undefined for what isn't a `traceparent`. */
export function parseTraceparent(text: unknown): SpanContext | undefined {
  const found = typeof text === 'string' ? FORM.exec(text) : null
  if (!found) return undefined
  const [, version, traceId = '', spanId = '', flags = '', more] = found
  if (version === '00' && more !== undefined) return undefined
  const traceFlags = Number.parseInt(flags, 16) & TraceFlags.SAMPLED
  const context = { traceId, spanId, traceFlags, isRemote: true }
  return isSpanContextValid(context) ? context : undefined
}

export const formatTraceparent = ({ traceId, spanId, traceFlags }: SpanContext): string =>
  `00-${traceId}-${spanId}-${(traceFlags & TraceFlags.SAMPLED).toString(16).padStart(2, '0')}`
