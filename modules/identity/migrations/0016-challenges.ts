import type { Migration } from '@larder-dev/larder/kernel'

/** Failed sign-ins with a password, and solved challenges, each of which works once. */
export const up: Migration = async m => {
  await m.systemTable(
    'identity_sign_in_failures',
    `-- A signature of the address or of the client's IP address.
     source text primary key,
     failures integer not null,
     expires_at timestamptz not null`,
  )
  await m.systemTable('identity_used_challenges', 'signature text primary key, expires_at timestamptz not null')
  await m.query('create index on identity_sign_in_failures (expires_at)')
  await m.query('create index on identity_used_challenges (expires_at)')
}

export const down: Migration = async m => {
  await m.query('drop table identity_used_challenges')
  await m.query('drop table identity_sign_in_failures')
}
