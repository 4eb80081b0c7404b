/** Channels of topics with subscribers, so that processes publish nothing to the others. */
import type { Migration } from '@larder-dev/larder/kernel'

export const up: Migration = async ({ systemTable }) => {
  await systemTable(
    'larder_subscribed_channels',
    'id text primary key, epoch text not null, until timestamptz not null',
  )
}
