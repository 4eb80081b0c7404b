import type { Migration } from '@larder-dev/larder/kernel'

/**
 * A used email code keeps its row, so that a retry of its job doesn't create it again. The code of an app ends with the
 * login that issued it.
 */
export const up: Migration = async m => {
  await m.query('alter table identity_email_codes add column used_at timestamptz')
  await m.query(
    'alter table identity_app_codes add column login_id text references identity_logins (id) on delete cascade',
  )
  await m.query('create index on identity_app_codes (login_id)')
}

export const down: Migration = async m => {
  await m.query('delete from identity_email_codes where used_at is not null')
  await m.query('alter table identity_email_codes drop column used_at')
  await m.query('alter table identity_app_codes drop column login_id')
}
