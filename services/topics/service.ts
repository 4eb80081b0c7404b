import { defineService, socket } from '@larder-dev/larder/kernel'
import { socketDocs } from './docs.ts'
import type { TopicHub } from './hub.ts'
import { createTopicHub } from './hub.ts'
import type {} from './ports.ts'
import { createTopicPublisher } from './publisher.ts'
import { settings } from './settings.ts'

const topicSockets = ({ topicHub }: { readonly topicHub: TopicHub }) => [
  socket({
    path: '/realtime',
    // Authenticated by a token in the first frame, or by the cookie of the upgrade request.
    allow: 'signature',
    summary: 'Delivers the messages of all topics that the client subscribes to.',
    docs: () => socketDocs(topicHub.topics()),
    ...topicHub.endpoint,
  }),
]

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
