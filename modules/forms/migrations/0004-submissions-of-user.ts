import type { Migration } from '@larder-dev/larder/kernel'

/** For the export of an account. Public submissions have no creator. */
export const up: Migration = async m => {
  await m.query(
    'create index forms_submissions_creator on forms_submissions (created_by, id) where created_by is not null',
  )
}

export const down: Migration = async m => {
  await m.query('drop index forms_submissions_creator')
}
