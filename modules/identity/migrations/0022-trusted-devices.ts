import type { Migration } from '@larder-dev/larder/kernel'

/** Browsers in which a person signs in without the second factor for a time. */
export const up: Migration = async m => {
  await m.systemTable(
    'identity_trusted_devices',
    `id text primary key,
     user_id text not null references identity_users (id) on delete cascade,
     secret_hash bytea not null unique,
     user_agent text,
     created_at timestamptz not null,
     expires_at timestamptz not null`,
  )
  await m.query('create index on identity_trusted_devices (user_id)')
  await m.query('create index on identity_trusted_devices (expires_at)')
}

export const down: Migration = async m => {
  await m.query('drop table identity_trusted_devices')
}
