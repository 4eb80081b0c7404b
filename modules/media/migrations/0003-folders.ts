import type { Migration } from '@larder-dev/larder/kernel'

export const up: Migration = async m => {
  // Names separated by slashes; empty for the top level. A folder exists while a file is in it.
  await m.query(`alter table media_items add column folder text not null default ''`)
  await m.query('create index on media_items (tenant_id, folder text_pattern_ops, id)')
}

export const down: Migration = async m => {
  await m.query('alter table media_items drop column folder')
}
