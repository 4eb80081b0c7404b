import type { Migration } from '@larder-dev/larder/kernel'

/** For the list of saved replies in the order of names. A workspace has at most a thousand of them. */
export const up: Migration = async m => {
  await m.query('drop index messaging_saved_replies_title')
  await m.query(
    'create index messaging_saved_replies_title on messaging_saved_replies (tenant_id, title collate larder_names, id)',
  )
}

export const down: Migration = async m => {
  await m.query('drop index messaging_saved_replies_title')
  await m.query(
    'create index messaging_saved_replies_title on messaging_saved_replies (tenant_id, title collate "C", id)',
  )
}
