import { defineModule, SECOND } from '@larder-dev/larder/kernel'
import { actions } from './actions.ts'
import { events } from './events.ts'
import { streamJobs } from './jobs.ts'
import { streamListeners } from './listeners.ts'
import { StreamsOptions } from './options.ts'
import { streamPages, streamSite } from './pages/streams.ts'
import type {} from './ports.ts'
import { problems } from './problems.ts'
import { HANDOVER_COLUMN } from './realtime/peer-registry.ts'
import { streamSockets } from './realtime/socket.ts'
import { streamTopics } from './realtime/topics.ts'
import { resources } from './resources.ts'
import { chatRoutes } from './routes/chat.ts'
import { mediaRoutes } from './routes/media.ts'
import { mediaHookRoutes } from './routes/media-hooks.ts'
import { sourceRoutes } from './routes/sources.ts'
import { streamRoutes } from './routes/streams.ts'
import { tokenRoutes } from './routes/tokens.ts'
import { diagnoseEdge } from './services/mediamtx.ts'
import { createStreams } from './services/stream-service.ts'

const EXAMINATION_MS = 5 * SECOND

export default defineModule({
  name: 'streams',
  summary: 'Streams: details, playback and the realtime socket for publishers and viewers.',
  needs: [
    'database',
    'systemDatabase',
    'events',
    'jobs',
    'bus',
    'clock',
    'secrets',
    'log',
    'sessions',
    'iceServers',
    'realtime',
    'topics',
  ],
  optional: ['webhooks', 'chats'],
  options: StreamsOptions,
  permissions: {
    'streams.stream.create': 'Create streams',
    'streams.stream.read': 'View streams',
    'streams.stream.update': 'Manage sources and layouts of streams',
    'streams.token.create': 'Create stream tokens',
    'streams.token.read': 'View stream tokens',
    'streams.token.delete': 'Revoke stream tokens',
  },
  problems,
  events,
  actions,
  limits: ['streams.visitor_tokens', 'streams.chat', 'streams.chat_of_person'],
  services: async () => (await import('./services.ts')).services,
  provides: { streams: createStreams },
  routes: deps => [
    ...streamRoutes(deps),
    ...sourceRoutes(deps),
    ...tokenRoutes(deps),
    ...mediaRoutes(deps),
    ...chatRoutes(deps),
    ...mediaHookRoutes(deps),
  ],
  resources,
  // Their records have the names of sessions.
  activityPermissions: () => ({
    'streams.stream.live': 'streams.stream.read',
    'streams.stream.idle': 'streams.stream.read',
    'streams.stream.sources_updated': 'streams.stream.read',
    'streams.stream.layout_updated': 'streams.stream.read',
  }),
  words: () => ({
    viewer_protocols: { 'webrtc-whep': 'WebRTC (WHEP)', hls: 'HLS', 'll-hls': 'Low-latency HLS' },
  }),
  sockets: streamSockets,
  topics: streamTopics,
  pages: streamPages,
  site: streamSite,
  listeners: streamListeners,
  jobs: streamJobs,
  sealedColumns: () => [HANDOVER_COLUMN],
  diagnose: diagnoseEdge,
  start({ mediaEdge, log }) {
    // The edge may start later than this process, which works without it.
    void mediaEdge.examine(AbortSignal.timeout(EXAMINATION_MS)).then(
      problems => problems.forEach(problem => void log.warn(problem)),
      error => log.error({ err: error }, 'failed to examine the media edge'),
    )
  },
  stop: ({ hub }) => hub.stop(),
  migrations: new URL('./migrations/', import.meta.url),
  templates: new URL('./templates/', import.meta.url),
  locales: new URL('./locales/', import.meta.url),
})
