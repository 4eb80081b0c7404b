import { type Deps, defineService, defineSettings, type Jobs } from 'larder/kernel'
import { createJobInspector } from './inspect.ts'
import { createJobs, type JobService } from './jobs.ts'
import type {} from './ports.ts'

export default defineService({
  name: 'jobs',
  summary: 'Background jobs with retries and dead letters; Agenda schedules those that recur.',
  needs: ['settings', 'postgres', 'clock', 'log', 'registry'],
  settings: defineSettings({
    variables: [
      { name: 'JOBS_BACKEND', about: 'postgres (default), mongodb or redis' },
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
    jobInspector: ({ postgres, clock }) => createJobInspector(postgres, clock),
  },
  work: ({ worker, registry }) => worker.start(registry.running().flatMap(({ jobs }) => jobs)),
  drain: ({ worker }) => worker.stop(),
})

function createWorker({
  settings,
  postgres,
  clock,
  log,
  registry,
}: Deps<'settings' | 'postgres' | 'clock' | 'log' | 'registry'>): JobService<Jobs> {
  // While modules are created and reconciled their jobs are not known yet.
  const isKnown = (name: string) => {
    const running = registry.running()
    return running.length === 0 || running.some(({ jobs }) => jobs.some(job => job.name === name))
  }
  return createJobs<Jobs>({ db: postgres, backend: settings.jobsBackend, settings, log, clock, isKnown })
}
