import type { Migration } from '@larder-dev/larder/kernel'

/** The time zone of a user, changes of email addresses that wait for confirmation, and audit entries by their user. */
export const up: Migration = async m => {
  await m.query('alter table identity_users add column time_zone text')
  await m.systemTable(
    'identity_email_changes',
    `id text primary key,
     user_id text not null unique references identity_users (id) on delete cascade,
     email text not null,
     email_key text not null,
     current_confirmed_at timestamptz,
     new_confirmed_at timestamptz,
     expires_at timestamptz not null`,
  )
  await m.query('create index on identity_email_changes (expires_at)')
  await m.query(`create index identity_audit_user on identity_audit ((actor ->> 'userId'), id)`)
}

export const down: Migration = async m => {
  await m.query('drop index identity_audit_user')
  await m.query('drop table identity_email_changes')
  await m.query('alter table identity_users drop column time_zone')
}
