import type { Migration } from '@larder-dev/larder/kernel'

/** Authenticator apps, recovery codes, sign-ins that wait for a second factor, and when a login last proved its person. */
export const up: Migration = async m => {
  await m.systemTable(
    'identity_totp',
    `user_id text primary key references identity_users (id) on delete cascade,
     -- Encrypted.
     secret bytea not null,
     -- Number of the period of 30 seconds whose code was used last: a code works once.
     last_step bigint not null,
     -- Wrong codes since the last right one.
     failures integer not null default 0,
     blocked_until timestamptz,
     created_at timestamptz not null`,
  )
  await m.systemTable(
    'identity_recovery_codes',
    `user_id text not null references identity_users (id) on delete cascade,
     code_hash bytea not null,
     primary key (user_id, code_hash)`,
  )
  await m.systemTable(
    'identity_pending_logins',
    `id text primary key,
     secret_hash bytea not null unique,
     user_id text not null references identity_users (id) on delete cascade,
     password_version integer not null,
     -- Whether the client gets a dashboard token.
     token boolean not null,
     expires_at timestamptz not null`,
  )
  await m.query('create index on identity_pending_logins (user_id)')
  await m.query('create index on identity_pending_logins (expires_at)')
  // Null: at the sign-in.
  await m.query('alter table identity_logins add column authenticated_at timestamptz')
}

export const down: Migration = async m => {
  await m.query('alter table identity_logins drop column authenticated_at')
  for (const table of ['identity_pending_logins', 'identity_recovery_codes', 'identity_totp'])
    await m.query(`drop table ${table}`)
}
