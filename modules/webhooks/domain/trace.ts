import { continueTrace, currentContext } from '@larder-dev/larder/kernel'

/** The W3C `traceparent` of the current span; undefined without tracing. */
export const currentTraceparent = (): string | undefined => currentContext().trace?.traceparent

/** The W3C `traceparent` of what an event causes. */
export const traceparentOf = (event: { readonly traceparent?: string }): string | null =>
  continueTrace(event, currentTraceparent) ?? null
