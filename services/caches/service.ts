import { defineService } from '@larder-dev/larder/kernel'
import { createCaches } from './caches.ts'
import type {} from './ports.ts'

export default defineService({
  name: 'caches',
  summary: 'Caches of data of tenants, which end with their tenant in every process.',
  needs: ['bus'],
  provides: { caches: ({ bus }) => createCaches(bus) },
})
