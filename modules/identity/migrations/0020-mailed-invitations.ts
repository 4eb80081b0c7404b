import type { Migration } from '@larder-dev/larder/kernel'

/** Whether the current version of the link was mailed, so that it proves the address. Unknown for earlier invitations. */
export const up: Migration = async m => {
  await m.query('alter table identity_invitations add column mailed boolean not null default false')
}

export const down: Migration = async m => {
  await m.query('alter table identity_invitations drop column mailed')
}
