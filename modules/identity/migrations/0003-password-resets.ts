import type { Migration } from '@larder-dev/larder/kernel'

export const up: Migration = async m => {
  // One row a request. The link of a row is valid while it is the newest of its user and the password is unchanged.
  await m.systemTable(
    'identity_password_resets',
    `id text primary key,
     user_id text not null references identity_users (id) on delete cascade,
     password_version integer not null,
     expires_at timestamptz not null`,
  )
  await m.query('create index on identity_password_resets (user_id, id)')
  await m.query('create index on identity_password_resets (expires_at)')
  await m.query('alter table identity_users drop column reset_until')
}

export const down: Migration = async m => {
  await m.query('alter table identity_users add column reset_until timestamptz')
  await m.query('drop table identity_password_resets')
}
