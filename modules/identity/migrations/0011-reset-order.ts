import type { Migration } from '@larder-dev/larder/kernel'

/** The order of reset links. Their IDs contain the time, which goes back if the clock is set back. */
export const up: Migration = async m => {
  await m.query('alter table identity_password_resets add column number bigint generated always as identity')
}

export const down: Migration = async m => {
  await m.query('alter table identity_password_resets drop column number')
}
