import { type Deps, defineService } from '@larder-dev/larder/kernel'
import { createCaches } from './caches.ts'
import { metrics } from './metrics.ts'
import type {} from './ports.ts'

export default defineService({
  name: 'caches',
  summary: 'Caches of data of tenants, which end with their tenant in every process.',
  needs: ['bus'],
  services: { measuredCaches: ({ bus }: Deps<'bus'>) => createCaches(bus) },
  provides: { caches: ({ measuredCaches }) => measuredCaches },
  metrics,
})
