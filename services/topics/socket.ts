import { socket } from '@larder-dev/larder/kernel'
import { socketDocs } from './docs.ts'
import type { TopicHub } from './hub.ts'

export const topicSockets = ({ topicHub }: { readonly topicHub: TopicHub }) => [
  socket({
    path: '/realtime',
    // Authenticated by a token in the first frame, or by the cookie of the upgrade request.
    allow: 'signature',
    summary: 'Delivers the messages of all topics that the client subscribes to.',
    docs: () => socketDocs(topicHub.topics()),
    ...topicHub.endpoint,
  }),
]
