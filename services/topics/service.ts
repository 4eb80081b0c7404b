import { defineService } from '@larder-dev/larder/kernel'
import { createTopicHub } from './hub.ts'
import type {} from './ports.ts'
import { createTopicPublisher } from './publisher.ts'
import { settings } from './settings.ts'
import { topicSockets } from './socket.ts'

export default defineService({
  name: 'topics',
  summary: 'The socket /v1/realtime: clients subscribe to topics of all modules.',
  needs: [
    'realtime',
    'bus',
    'database',
    'clock',
    'log',
    'access',
    'operator',
    'registry',
    'settings',
    'tenantSuspension',
  ],
  settings,
  services: {
    topicHub: { create: createTopicHub, dispose: hub => hub.stop() },
    topicPublisher: { create: createTopicPublisher, dispose: publisher => publisher.stop() },
  },
  provides: { topics: ({ topicPublisher }) => topicPublisher },
  sockets: topicSockets,
  /** Mistakes in declarations of topics fail the start. */
  verify: ({ topicHub }) => void topicHub.topics(),
  serve: ({ topicHub }) => topicHub.listen(),
})
