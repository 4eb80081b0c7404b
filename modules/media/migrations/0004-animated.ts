import type { Migration } from '@larder-dev/larder/kernel'

export const up: Migration = async m => {
  await m.query('alter table media_items add column animated boolean not null default false')
}

export const down: Migration = async m => {
  await m.query('alter table media_items drop column animated')
}
