/** Metrics of jobs, over all tenants and processes. */
import { type Deps, isSuspendedSql, type Registrations, SECOND } from '@larder-dev/larder/kernel'
import { createJobActivity } from './activity.ts'
import type { JobSchedule } from './ports.ts'

/** As leases do, the age leaves out jobs of suspended workspaces, which wait for long. */
const OVERDUE = `select name, greatest(0, extract(epoch from now() - min(run_at)))::float8 as seconds from larder_jobs
  where state = 'waiting' and run_at <= now() and not ${isSuspendedSql('larder_jobs.tenant_id')} group by name`

export function metrics(deps: Deps<'systemDatabase' | 'registry'>): Registrations['metrics'] {
  const activity = createJobActivity(deps)
  /** Schedules of removed jobs remain in the database, and nothing runs them. */
  const isKnown = ({ name }: JobSchedule) =>
    deps.registry.running().some(({ jobs }) => jobs.some(job => job.name === name))
  const schedules = async (value: (schedule: JobSchedule) => number | undefined) =>
    (await activity.schedules()).filter(isKnown).flatMap(schedule => {
      const known = value(schedule)
      return known === undefined ? [] : [{ labels: { name: schedule.name }, value: known }]
    })
  return [
    {
      name: 'larder_jobs',
      help: 'Jobs by name and state; dead ones are dead letters. Every process reports the total of all processes',
      type: 'gauge',
      read: async () =>
        (await activity.counts()).flatMap(({ name, waiting, running, dead }) =>
          Object.entries({ waiting, running, dead }).map(([state, value]) => ({ labels: { name, state }, value })),
        ),
    },
    {
      name: 'larder_jobs_overdue_seconds',
      help: 'How long the job that is due since the earliest time has waited for a worker, by name',
      type: 'gauge',
      async read() {
        const unit = deps.systemDatabase.acrossTenants('due jobs of every tenant are counted')
        const { rows } = await unit.query<{ name: string; seconds: number }>(OVERDUE)
        return rows.map(({ name, seconds }) => ({ labels: { name }, value: seconds }))
      },
    },
    {
      name: 'larder_job_last_run_timestamp_seconds',
      help: 'When the last run of a recurring job ended, in seconds since 1970',
      type: 'gauge',
      read: () => schedules(({ lastFinishedAt }) => secondsOf(lastFinishedAt)),
    },
    {
      name: 'larder_job_last_run_failed',
      help: 'Whether the last run of a recurring job failed',
      type: 'gauge',
      read: () => schedules(({ lastResult }) => (lastResult === null ? undefined : Number(lastResult === 'failed'))),
    },
    {
      name: 'larder_job_next_run_timestamp_seconds',
      help: 'When a recurring job is due next, in seconds since 1970; in the past if no worker runs it',
      type: 'gauge',
      read: () => schedules(({ nextRunAt }) => secondsOf(nextRunAt)),
    },
  ]
}

const secondsOf = (time: string | null): number | undefined => (time === null ? undefined : Date.parse(time) / SECOND)
