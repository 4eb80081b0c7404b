import type { Migration } from '@larder-dev/larder/kernel'

/** Values of the fields that the recipe adds to people and to members. */
export const up: Migration = async m => {
  for (const name of ['identity_users', 'identity_members'])
    await m.query(`alter table ${name} add column profile jsonb not null default '{}'`)
}

export const down: Migration = async m => {
  for (const name of ['identity_users', 'identity_members']) await m.query(`alter table ${name} drop column profile`)
}
