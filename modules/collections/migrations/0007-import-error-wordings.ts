import type { Migration } from '@larder-dev/larder/kernel'

/** The wording of an error, for other languages than English. Errors of earlier versions have none. */
export const up: Migration = async ({ query }) => {
  await query('alter table collections_import_errors add column wording jsonb')
}

export const down: Migration = async ({ query }) => {
  await query('alter table collections_import_errors drop column wording')
}
