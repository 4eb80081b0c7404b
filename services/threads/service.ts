import { defineService, workerPoolProblems } from '@larder-dev/larder/kernel'
import { createWorkerPool } from './worker-pool.ts'

export default defineService({
  name: 'threads',
  summary: 'Worker threads for work whose cost depends on the input of tenants and visitors.',
  problems: workerPoolProblems,
  services: { pool: { create: () => createWorkerPool(), dispose: pool => pool.close() } },
  provides: { workerPool: ({ pool }) => pool },
})
