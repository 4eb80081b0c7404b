import type { Migration } from '@larder-dev/larder/kernel'

export const expands = true

/** The home screen asks for files that were rejected: without them, each list would read all files of the workspace. */
export const up: Migration = async m => {
  await m.query('create index media_items_of_status on media_items (tenant_id, status, id)')
}

export const down: Migration = async m => {
  await m.query('drop index media_items_of_status')
}
