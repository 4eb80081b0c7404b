import type { Migration } from '@larder-dev/larder/kernel'

export const up: Migration = async ({ query }) => {
  // How many runs of automations led to the event.
  await query('alter table webhooks_deliveries add column depth integer not null default 0')
}

export const down: Migration = async ({ query }) => {
  await query('alter table webhooks_deliveries drop column depth')
}
