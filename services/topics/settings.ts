import { defineSettings } from '@larder-dev/larder/kernel'

const MAX = 1_000_000

export const settings = defineSettings({
  variables: [
    {
      name: 'REALTIME_SOCKETS_PER_PERSON',
      about: 'open sockets of one person at /v1/realtime, in one process',
      default: '50',
      process: 'web',
    },
    {
      name: 'REALTIME_SOCKETS_PER_WORKSPACE',
      about: 'open sockets of the members of one workspace at /v1/realtime, in one process',
      default: '5000',
      process: 'web',
    },
    {
      name: 'REALTIME_SUBSCRIPTIONS_PER_PERSON',
      about: 'subscriptions of one person to topics, in one process',
      default: '2000',
      process: 'web',
    },
    {
      name: 'REALTIME_SUBSCRIPTIONS_PER_WORKSPACE',
      about:
        'subscriptions of the members of one workspace to topics, and as many of anonymous clients, in one process',
      default: '20000',
      process: 'web',
    },
  ],
  read: env => ({
    realtimeLimits: {
      socketsPerPerson: env.integer('REALTIME_SOCKETS_PER_PERSON', 50, MAX),
      socketsPerWorkspace: env.integer('REALTIME_SOCKETS_PER_WORKSPACE', 5000, MAX),
      subscriptionsPerPerson: env.integer('REALTIME_SUBSCRIPTIONS_PER_PERSON', 2000, MAX),
      subscriptionsPerWorkspace: env.integer('REALTIME_SUBSCRIPTIONS_PER_WORKSPACE', 20_000, MAX),
    },
  }),
})
