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

const STATES = ['waiting', 'running', 'done', 'dead'] as const

const JobRecord = named(
  'JobRecord',
  Type.Object({
    id: Type.String(),
    name: Type.String(),
    tenantId: Nullable(Type.String()),
    state: OneOf(STATES),
    attempts: Type.Integer(),
    recurring: Type.Boolean(),
    runAt: Timestamp,
    lastError: Nullable(Type.String()),
    createdAt: Timestamp,
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
    nextRunAt: Nullable(Timestamp),
  }),
)

export const jobRoutes = ({ inspector, jobActivity }: Deps<'inspector' | 'jobActivity'>) => [
  route({
    method: 'get',
    path: '/platform/jobs',
    operationId: 'listJobs',
    summary: 'Lists background jobs, newest first. Finished jobs are deleted after a while.',
    allow: ['platform.job.read', 'platform.tenant.read_all'],
    query: listQuery({
      'filter[name]': Type.Optional(Type.String({ maxLength: 200 })),
      'filter[state]': Type.Optional(OneOf(STATES)),
      'filter[tenantId]': TenantFilter,
    }),
    replies: { 200: listOf(JobRecord) },
    handle: ({ query, caller, tenantId }) =>
      jobActivity.list({
        tenantId: readScope(caller, tenantId, query['filter[tenantId]']),
        name: query['filter[name]'],
        state: query['filter[state]'],
        limit: pageLimit(query),
        cursor: query.cursor,
      }),
  }),
  route({
    method: 'get',
    path: '/platform/job-types',
    operationId: 'listJobTypes',
    summary: 'Lists the jobs of all modules with their schedule and the number of unfinished runs.',
    allow: 'platform.queue.read',
    replies: { 200: listOf(JobType) },
    async handle() {
      const counts = new Map((await jobActivity.counts()).map(count => [count.name, count]))
      const none = { waiting: 0, running: 0, dead: 0, nextRunAt: null }
      const data = inspector
        .modules()
        .flatMap(module => module.jobs.map(job => ({ ...none, ...counts.get(job.name), ...job, module: module.name })))
      return { data, nextCursor: null }
    },
  }),
]
