import type { Migration } from '@larder-dev/larder/kernel'

/** Who used the product in which month (UTC). Logins say only when they were last used, and are deleted. */
export const up: Migration = async m => {
  await m.systemTable(
    'identity_active_people',
    'month date not null, user_id text not null, primary key (month, user_id)',
  )
}

export const down: Migration = async m => {
  await m.query('drop table identity_active_people')
}
