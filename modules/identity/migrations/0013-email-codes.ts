import type { Migration } from '@larder-dev/larder/kernel'

/** Codes and links that sign in. Neither is stored: both are signatures of the ID. */
export const up: Migration = async m => {
  await m.systemTable(
    'identity_email_codes',
    `id text primary key,
     email text not null,
     email_key text not null,
     locale text,
     -- Path to return to after the link.
     next text not null,
     -- Codes that were tried.
     attempts integer not null default 0,
     expires_at timestamptz not null`,
  )
  await m.query('create index on identity_email_codes (expires_at)')
}

export const down: Migration = async m => {
  await m.query('drop table identity_email_codes')
}
