import type { Migration } from '@larder-dev/larder/kernel'

export const up: Migration = async m => {
  await m.query('alter table media_items add column is_public boolean not null default false')
}
