import type { Migration } from '@larder-dev/larder/kernel'

export const up: Migration = async m => {
  // Who used the product in which month (UTC): logins say only when they were last used, and are deleted.
  await m.systemTable(
    'identity_active_people',
    'month date not null, user_id text not null, primary key (month, user_id)',
  )
  // Reports count sign-ups by month.
  await m.query('create index identity_users_created_at on identity_users (created_at)')
}

export const down: Migration = async m => {
  await m.query('drop index identity_users_created_at')
  await m.query('drop table identity_active_people')
}
