import type { Migration } from '@larder-dev/larder/kernel'

/** A hash that no password has. */
const NO_PASSWORD = `$argon2id$v=19$m=19456,t=2,p=1$${'A'.repeat(22)}$${'A'.repeat(43)}`

/** Users without a password, and the ways to sign in that belong to a user. */
export const up: Migration = async m => {
  await m.query('alter table identity_users alter column password_hash drop not null')
  await m.systemTable(
    'identity_sign_in_identities',
    `id text primary key,
     user_id text not null references identity_users (id) on delete cascade,
     -- Name of the sign-in method.
     method text not null,
     -- Who issued the subject: a subject is unique within its provider.
     provider text not null,
     subject text not null,
     label text,
     -- The address that the provider had verified at the last sign-in.
     email text,
     created_at timestamptz not null,
     last_used_at timestamptz,
     unique (method, provider, subject)`,
  )
  await m.query('create index on identity_sign_in_identities (user_id, id)')
}

export const down: Migration = async m => {
  await m.query('drop table identity_sign_in_identities')
  await m.query(`update identity_users set password_hash = '${NO_PASSWORD}' where password_hash is null`)
  await m.query('alter table identity_users alter column password_hash set not null')
}
