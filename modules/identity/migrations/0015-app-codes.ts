import type { Migration } from '@larder-dev/larder/kernel'

/** Codes with which native apps end a sign-in in the browser. */
export const up: Migration = async m => {
  await m.systemTable(
    'identity_app_codes',
    `code_hash bytea primary key,
     user_id text not null references identity_users (id) on delete cascade,
     password_version integer not null,
     -- SHA-256 of the verifier that the app keeps.
     challenge text not null,
     expires_at timestamptz not null`,
  )
  await m.query('create index on identity_app_codes (expires_at)')
  await m.query('create index on identity_app_codes (user_id)')
}

export const down: Migration = async m => {
  await m.query('drop table identity_app_codes')
}
