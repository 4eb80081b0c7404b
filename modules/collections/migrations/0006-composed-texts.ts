import type { Migration } from '@larder-dev/larder/kernel'

/** Tables whose texts are known to be in NFC. Texts of 0.1.0 can have another form. */
export const up: Migration = async ({ systemTable }) => {
  await systemTable('collections_composed', 'table_name text primary key')
}

export const down: Migration = async ({ query }) => {
  await query('drop table collections_composed')
}
