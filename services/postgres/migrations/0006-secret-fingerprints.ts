/** Fingerprints of the accepted secrets: a start with another secret is refused. */
import type { Migration } from '@larder-dev/larder/kernel'

export const up: Migration = async ({ query }) => {
  await query("alter table larder_installation add column secret_fingerprints text[] not null default '{}'")
}
