/** Every message of a topic is published, so the table of channels with subscribers goes. */
import type { Migration } from '@larder-dev/larder/kernel'

export const up: Migration = async ({ query }) => {
  await query('drop table larder_subscribed_channels')
}
