import type { Migration } from '@larder-dev/larder/kernel'

export const up: Migration = async m => {
  await m.query(
    `alter table identity_invitations
       -- Language of the email; null for the reader's own.
       add column locale text,
       -- When the invitation was sent again. Older entries than the window of the limit are dropped.
       add column resent_at timestamptz[] not null default '{}'`,
  )
}
