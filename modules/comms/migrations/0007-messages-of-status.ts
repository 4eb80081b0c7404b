import type { Migration } from '@larder-dev/larder/kernel'

export const expands = true

/** The home screen asks for messages that failed: without them, each list would read all messages of the workspace. */
export const up: Migration = async m => {
  await m.query('create index comms_messages_of_status on comms_messages (tenant_id, status, id)')
  await m.query('create index comms_messages_all_of_status on comms_messages (status, id)')
  // The primary key is the same.
  await m.query('drop index comms_messages_all')
}

export const down: Migration = async m => {
  await m.query('create index comms_messages_all on comms_messages (id)')
  await m.query('drop index comms_messages_of_status, comms_messages_all_of_status')
}
