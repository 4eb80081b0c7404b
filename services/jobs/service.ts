import {
  assertInstalled,
  type Deps,
  defineService,
  defineSettings,
  type Jobs,
} from '@larder-dev/larder/kernel/internal'
import { createJobActivity } from './activity.ts'
import { createJobInspector } from './inspect.ts'
import { createJobs, type JobService } from './jobs.ts'
import { metrics } from './metrics.ts'
import type {} from './ports.ts'

export default defineService({
  name: 'jobs',
  summary: 'Background jobs with retries and dead letters; Agenda schedules those that recur.',
  needs: ['settings', 'product', 'postgres', 'database', 'systemDatabase', 'clock', 'log', 'registry'],
  settings: defineSettings({
    variables: [
      { name: 'JOBS_BACKEND', about: 'postgres, mongodb or redis', default: 'postgres' },
      { name: 'MONGODB_URL', about: 'MongoDB for JOBS_BACKEND', secret: true },
    ],
    read(env) {
      const jobsBackend = env.oneOf('JOBS_BACKEND', ['postgres', 'mongodb', 'redis'], 'postgres')
      const mongodbUrl = env.url('MONGODB_URL', ['mongodb', 'mongodb+srv'])
      if (jobsBackend === 'redis' && !env.text('REDIS_URL')) env.fail('JOBS_BACKEND=redis needs REDIS_URL')
      if (jobsBackend === 'mongodb' && !mongodbUrl) env.fail('JOBS_BACKEND=mongodb needs MONGODB_URL')
      return { jobsBackend, mongodbUrl }
    },
  }),
  services: { worker: createWorker },
  provides: {
    jobs: ({ worker }) => worker.queue,
    jobActivity: createJobActivity,
    jobInspector: ({ systemDatabase, clock, postgres }) =>
      createJobInspector({ systemDatabase, clock, wakeWorkers: () => postgres.notify('larder_jobs', '') }),
  },
  metrics,
  work: ({ worker, registry }) => worker.start(registry.running().flatMap(({ jobs }) => jobs)),
  drain: ({ worker }) => worker.stop(),
})

type WorkerDeps = Deps<
  'settings' | 'product' | 'postgres' | 'database' | 'systemDatabase' | 'clock' | 'log' | 'registry'
>

function createWorker(deps: WorkerDeps): JobService<Jobs> {
  const { settings, product, postgres: db, database, systemDatabase, clock, log, registry } = deps
  // Jobs are unknown while modules are created and reconciled.
  const isKnown = (name: string) => {
    const running = registry.running()
    return running.length === 0 || running.some(({ jobs }) => jobs.some(job => job.name === name))
  }
  const backend = settings.jobsBackend
  // The scheduler retries all other failures.
  if (backend === 'redis') assertInstalled('@agendajs/redis-backend')
  const byPerson = product.audience === 'people'
  return createJobs<Jobs>({ byPerson, db, database, systemDatabase, backend, settings, clock, log, isKnown })
}
