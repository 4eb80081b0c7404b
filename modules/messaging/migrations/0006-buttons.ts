import type { Migration } from '@larder-dev/larder/kernel'

/** Buttons of messages of the product, such as the answers to a question. */
export const up: Migration = async m => {
  await m.query('alter table messaging_messages add column buttons jsonb')
}

export const down: Migration = async m => {
  await m.query('alter table messaging_messages drop column buttons')
}
