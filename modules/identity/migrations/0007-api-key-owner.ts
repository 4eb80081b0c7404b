import type { Migration } from '@larder-dev/larder/kernel'

/** The keys of a user end with the user's password and account. */
export const up: Migration = async m => {
  await m.query('create index identity_api_keys_owner on identity_api_keys (user_id)')
}

export const down: Migration = async m => {
  await m.query('drop index identity_api_keys_owner')
}
