import { type Bus, type Channels, defineService, defineSettings } from '@larder-dev/larder/kernel'
import { createTransport } from './bus.ts'
import type {} from './ports.ts'

export default defineService({
  name: 'bus',
  summary: 'Messages between processes: in memory, over PostgreSQL, or over Redis.',
  needs: ['settings', 'postgres', 'systemDatabase', 'operator', 'log', 'process'],
  settings: defineSettings({
    variables: [
      { name: 'BUS', about: 'postgres, redis, or memory for a single process', default: 'postgres' },
      { name: 'REDIS_URL', about: 'Redis for BUS or JOBS_BACKEND', secret: true },
    ],
    read(env) {
      const bus = env.oneOf('BUS', ['postgres', 'memory', 'redis'], 'postgres')
      const redisUrl = env.url('REDIS_URL', ['redis', 'rediss'])
      if (bus === 'redis' && !redisUrl) env.fail('BUS=redis needs REDIS_URL')
      return { bus, redisUrl }
    },
  }),
  services: { transport: { create: createTransport, dispose: transport => transport.close() } },
  provides: {
    // The transport carries any JSON; `Channels` has the types of what modules publish.
    bus: ({ transport }) => transport.bus as Bus<Channels>,
  },
  init: ({ transport }) => transport.open(),
})
