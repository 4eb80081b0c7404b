import type { Migration } from '@larder-dev/larder/kernel'

export const up: Migration = async m => {
  // A metric: emails that weren't sent, over all tenants and processes.
  await m.systemTable('comms_suppressed_counts', 'reason text primary key, total bigint not null')
}

export const down: Migration = async m => {
  await m.query('drop table comms_suppressed_counts')
}
