/**
 * The customer of a product of people on whose behalf a job runs or an event happened, who takes turns as workspaces do
 * elsewhere. Null in products of teams, so that the index is empty there.
 */
import type { Migration } from '@larder-dev/larder/kernel'

export const up: Migration = async ({ query }) => {
  await query('alter table larder_events add column share text')
  await query('alter table larder_jobs add column share text')
  await query(`create index larder_jobs_shares on larder_jobs (name, share, run_at)
    where state = 'waiting' and share is not null`)
}

export const down: Migration = async ({ query }) => {
  await query('alter table larder_jobs drop column share')
  await query('alter table larder_events drop column share')
}
