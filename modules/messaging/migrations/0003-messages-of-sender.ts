import type { Migration } from '@larder-dev/larder/kernel'

/** For the export of an account, and for the list of saved replies in its order. */
export const up: Migration = async m => {
  await m.query('create index messaging_messages_sender on messaging_messages (sender_id, id)')
  await m.query(
    'create index messaging_saved_replies_title on messaging_saved_replies (tenant_id, title collate "C", id)',
  )
}

export const down: Migration = async m => {
  await m.query('drop index messaging_saved_replies_title, messaging_messages_sender')
}
