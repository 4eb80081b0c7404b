import type { Migration } from '@larder-dev/larder/kernel'

/** A first factor can be older than the sign-in: a running session at a provider proves nothing about now. */
export const up: Migration = async m => {
  await m.query(
    `alter table identity_pending_logins
       -- When the person passed the first factor. Null: when the sign-in started.
       add column authenticated_at timestamptz`,
  )
}

export const down: Migration = async m => {
  await m.query('alter table identity_pending_logins drop column authenticated_at')
}
