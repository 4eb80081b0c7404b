import type { Migration } from '@larder-dev/larder/kernel'

/** The revisions of a flag are deleted with it. */
export const up: Migration = async m => {
  await m.query('create index features_revisions_flag on features_revisions (flag_id)')
}

export const down: Migration = async m => {
  await m.query('drop index features_revisions_flag')
}
