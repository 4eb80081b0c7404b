import type { Migration } from '@larder-dev/larder/kernel'

/** Returns of browsers from providers, each of which completes its sign-in once. */
export const up: Migration = async m => {
  await m.systemTable(
    'identity_sign_in_returns',
    `-- SHA-256 of what the browser keeps of the sign-in.
     id bytea primary key,
     -- What the browser was answered, encrypted. Null until then.
     answer text,
     expires_at timestamptz not null`,
  )
  await m.query('create index on identity_sign_in_returns (expires_at)')
}

export const down: Migration = async m => {
  await m.query('drop table identity_sign_in_returns')
}
