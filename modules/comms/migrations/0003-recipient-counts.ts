import type { Migration } from '@larder-dev/larder/kernel'

export const up: Migration = async m => {
  // Emails per recipient over all tenants. `recipient` is an HMAC of the address.
  await m.systemTable(
    'comms_recipient_counts',
    `recipient text not null,
     period text not null check (period in ('hour', 'day')),
     started_at timestamptz not null,
     total integer not null,
     by_api integer not null,
     primary key (recipient, period, started_at)`,
  )
  await m.query('create index on comms_recipient_counts (started_at)')
}

export const down: Migration = async m => {
  await m.query('drop table comms_recipient_counts')
}
