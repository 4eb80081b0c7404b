import type { Migration } from '@larder-dev/larder/kernel'

/** For operators, who list the messages of every tenant. */
export const up: Migration = async m => {
  await m.query('create index comms_messages_all on comms_messages (id)')
  await m.query('create index comms_messages_all_to on comms_messages (recipient_key, id)')
}

export const down: Migration = async m => {
  await m.query('drop index comms_messages_all, comms_messages_all_to')
}
