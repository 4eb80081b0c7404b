/** The sweep finds old events by their ids. Each event paid for this index. */
import type { Migration } from '@larder-dev/larder/kernel'

export const up: Migration = async ({ query }) => {
  await query('drop index larder_events_by_age')
}
