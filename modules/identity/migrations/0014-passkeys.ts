import type { Migration } from '@larder-dev/larder/kernel'

/** Public keys of passkeys, and challenges, each of which is deleted with its first use. */
export const up: Migration = async m => {
  await m.systemTable(
    'identity_passkeys',
    `identity_id text primary key references identity_sign_in_identities (id) on delete cascade,
     public_key bytea not null,
     -- How often the authenticator signed; 0 if it doesn't count.
     counter bigint not null,
     transports text[] not null`,
  )
  await m.systemTable(
    'identity_passkey_challenges',
    `id text primary key,
     challenge text not null,
     -- Null for a sign-in.
     user_id text references identity_users (id) on delete cascade,
     expires_at timestamptz not null`,
  )
  await m.query('create index on identity_passkey_challenges (expires_at)')
  await m.query('create index on identity_passkey_challenges (user_id)')
}

export const down: Migration = async m => {
  await m.query('drop table identity_passkey_challenges')
  await m.query('drop table identity_passkeys')
  await m.query("delete from identity_sign_in_identities where method = 'passkey'")
}
