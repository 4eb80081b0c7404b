/** Waiting jobs by tenant, for a worker that gives each tenant its turn. */
import type { Migration } from '@larder-dev/larder/kernel'

export const up: Migration = async ({ query }) => {
  await query(`create index larder_jobs_turns on larder_jobs (name, (coalesce(tenant_id, '-')), run_at)
    where state = 'waiting'`)
}

export const down: Migration = async ({ query }) => {
  await query('drop index larder_jobs_turns')
}
