import type { Migration } from '@larder-dev/larder/kernel'

export const expands = true

export const up: Migration = async ({ query }) => {
  // The W3C traceparent of what queued the delivery; null without tracing.
  await query('alter table webhooks_deliveries add column traceparent text')
}

export const down: Migration = async ({ query }) => {
  await query('alter table webhooks_deliveries drop column traceparent')
}
