import type { Migration } from '@larder-dev/larder/kernel'

/** For the inbox of the operator, which lists one status of every workspace. */
export const up: Migration = async m => {
  await m.query(
    `create index messaging_conversations_support on messaging_conversations (status) where kind = 'support'`,
  )
}

export const down: Migration = async m => {
  await m.query('drop index messaging_conversations_support')
}
