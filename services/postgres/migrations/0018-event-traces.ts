/** The W3C `traceparent` of what published an event, so that its deliveries continue the trace. Null without tracing. */
import type { Migration } from '@larder-dev/larder/kernel'

export const expands = true

export const up: Migration = async ({ query }) => {
  await query('alter table larder_events add column traceparent text')
}

export const down: Migration = async ({ query }) => {
  await query('alter table larder_events drop column traceparent')
}
