import type { Migration } from '@larder-dev/larder/kernel'

export const up: Migration = async m => {
  await m.query('alter table forms_submissions add column row_id text')
}

export const down: Migration = async m => {
  await m.query('alter table forms_submissions drop column row_id')
}
