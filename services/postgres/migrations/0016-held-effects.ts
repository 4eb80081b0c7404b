/**
 * Since when an installation that was restored sends nothing: mails, webhooks and automations wait. Null where they go out.
 * And the time of the last backup.
 */
import type { Migration } from '@larder-dev/larder/kernel'

export const up: Migration = async ({ query }) => {
  await query('alter table larder_installation add column held_since timestamptz, add column backed_up_at timestamptz')
}

export const down: Migration = async ({ query }) => {
  await query('alter table larder_installation drop column held_since, drop column backed_up_at')
}
