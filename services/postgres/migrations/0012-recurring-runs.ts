/** The last runs of recurring jobs, and when the next ones are due. */
import type { Migration } from '@larder-dev/larder/kernel'

export const up: Migration = async ({ query, systemTable }) => {
  await query('alter table larder_jobs add column started_at timestamptz')
  await query(`alter table larder_jobs drop constraint larder_jobs_state_check,
    add constraint larder_jobs_state_check check (state in ('waiting', 'running', 'done', 'failed', 'dead'))`)
  await query(`create index larder_jobs_last_runs on larder_jobs (name, finished_at)
    where key = '@every' and state in ('done', 'failed')`)
  // The schedule itself is in the back end that JOBS_BACKEND selects, which web processes don't connect to.
  await systemTable('larder_schedules', 'name text primary key, next_run_at timestamptz not null')
}

export const down: Migration = async ({ query }) => {
  await query('drop table larder_schedules')
  await query(`delete from larder_jobs where key = '@every' and state in ('done', 'failed')`)
  await query('drop index larder_jobs_last_runs')
  await query(`alter table larder_jobs drop constraint larder_jobs_state_check,
    add constraint larder_jobs_state_check check (state in ('waiting', 'running', 'done', 'dead'))`)
  await query('alter table larder_jobs drop column started_at')
}
