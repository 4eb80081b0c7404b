/** How many runs of automations led to an event, one by an event of the other. */
import type { Migration } from '@larder-dev/larder/kernel'

export const up: Migration = async ({ query }) => {
  await query('alter table larder_events add column depth smallint not null default 0')
}

export const down: Migration = async ({ query }) => {
  await query('alter table larder_events drop column depth')
}
