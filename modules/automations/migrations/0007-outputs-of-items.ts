import type { Migration } from '@larder-dev/larder/kernel'

export const up: Migration = async ({ query }) => {
  // Bytes of the outputs of the items of a step up to this one.
  await query('alter table automations_steps add column output_bytes integer not null default 0')
}

export const down: Migration = async ({ query }) => {
  await query('alter table automations_steps drop column output_bytes')
}
