import {
  type Deps,
  listOf,
  listQuery,
  Nullable,
  named,
  OneOf,
  pageLimit,
  route,
  Timestamp,
  Type,
} from '@larder-dev/larder/kernel'
import { readScope } from '../domain/tenant-scope.ts'
import { TenantFilter } from './tenant-filter.ts'

const STATES = ['waiting', 'running', 'done', 'failed', 'dead'] as const

const JobRecord = named(
  'JobRecord',
  Type.Object({
    id: Type.String(),
    name: Type.String(),
    tenantId: Nullable(Type.String()),
    state: OneOf(STATES, { description: '`failed`: a run of a recurring job; its next run is the next attempt' }),
    attempts: Type.Integer(),
    recurring: Type.Boolean(),
    runAt: Timestamp,
    lastError: Nullable(Type.String()),
    createdAt: Timestamp,
    startedAt: Nullable(Timestamp),
    finishedAt: Nullable(Timestamp),
  }),
)

const JobType = named(
  'JobType',
  Type.Object({
    name: Type.String(),
    module: Type.String(),
    every: Nullable(Type.String({ description: 'Interval or cron expression; null for a job without a schedule' })),
    waiting: Type.Integer(),
    running: Type.Integer(),
    dead: Type.Integer(),
    nextRunAt: Nullable(
      Type.Unsafe<string>({ ...Timestamp, description: 'In the past if no worker could start the run on time' }),
    ),
    lastRunAt: Nullable(
      Type.Unsafe<string>({ ...Timestamp, description: 'When the last finished run of a recurring job began' }),
    ),
    lastFinishedAt: Nullable(Timestamp),
    lastResult: Nullable(OneOf(['succeeded', 'failed'])),
    lastError: Nullable(Type.String({ description: 'Why the last run failed' })),
  }),
)

const NEVER_RUN = { nextRunAt: null, lastRunAt: null, lastFinishedAt: null, lastResult: null, lastError: null }

export const jobRoutes = ({ inspector, jobActivity }: Deps<'inspector' | 'jobActivity'>) => [
  route({
    method: 'get',
    path: '/platform/jobs',
    operationId: 'listJobs',
    summary:
      'Lists background jobs, newest first. Finished jobs are deleted after a while. Of a recurring job, the last run that succeeded and the last one that failed are listed.',
    allow: ['platform.job.read', 'platform.tenant.read_all'],
    query: listQuery(),
    filters: { name: Type.String({ maxLength: 200 }), state: OneOf(STATES), tenantId: TenantFilter },
    replies: { 200: listOf(JobRecord) },
    handle: ({ query, filters, caller, tenantId }) =>
      jobActivity.list({
        ...query,
        ...filters,
        tenantId: readScope(caller, tenantId, filters.tenantId),
        limit: pageLimit(query),
      }),
  }),
  route({
    method: 'get',
    path: '/platform/job-types',
    operationId: 'listJobTypes',
    summary:
      'Lists the jobs of all modules with their schedule, the last run of recurring ones, and the number of unfinished runs. Recurring jobs come first.',
    allow: 'platform.queue.read',
    replies: { 200: listOf(JobType) },
    async handle() {
      const [counted, scheduled] = await Promise.all([jobActivity.counts(), jobActivity.schedules()])
      const counts = new Map(counted.map(count => [count.name, count]))
      const schedules = new Map(scheduled.map(schedule => [schedule.name, schedule]))
      const data = inspector.modules().flatMap(({ name: module, jobs }) =>
        jobs.map(job => {
          const { waiting = 0, running = 0, dead = 0, nextRunAt: waitingSince = null } = counts.get(job.name) ?? {}
          const schedule = (job.every !== null && schedules.get(job.name)) || NEVER_RUN
          const nextRunAt = [waitingSince, schedule.nextRunAt].filter(time => time !== null).sort()[0] ?? null
          return { ...job, module, waiting, running, dead, ...schedule, nextRunAt }
        }),
      )
      const recurring = data.filter(({ every }) => every !== null)
      const others = data.filter(({ every }) => every === null)
      return { data: [...recurring, ...others], nextCursor: null }
    },
  }),
]
