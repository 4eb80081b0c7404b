import { defineModule } from '../../kernel/contract.ts'
import { createEdgeGate } from './edge/gate.ts'
import { createMediaMtx } from './edge/mediamtx.ts'
import { streamJobs } from './jobs.ts'
import { streamListeners } from './listeners.ts'
import { StreamsOptions } from './options.ts'
import { streamPages } from './pages.ts'
import type {} from './ports.ts'
import { problems } from './problems.ts'
import { createHub } from './realtime/hub.ts'
import { edgeRoutes } from './routes/edge.ts'
import { mediaRoutes } from './routes/media.ts'
import { sourceRoutes } from './routes/sources.ts'
import { streamRoutes } from './routes/streams.ts'
import { tokenRoutes } from './routes/tokens.ts'
import { Notice } from './schemas.ts'
import { realtime } from './socket.ts'
import { createSources } from './sources.ts'
import { createStreams } from './streams.ts'
import { createTokens } from './tokens.ts'

export default defineModule({
  name: 'streams',
  summary: 'Streams: what they show, where they play, and the realtime socket of publishers and viewers.',
  needs: ['database', 'events', 'jobs', 'bus', 'clock', 'secrets', 'log', 'sessions', 'iceServers'],
  wants: ['webhooks'],
  options: StreamsOptions,
  permissions: {
    'streams.stream.create': 'Create streams',
    'streams.stream.read': 'Read streams',
    'streams.stream.update': 'Change sources and layouts of streams',
    'streams.token.create': 'Create tokens of streams',
    'streams.token.read': 'Read tokens of streams',
    'streams.token.delete': 'Revoke tokens of streams',
  },
  problems,
  events: {
    'streams.stream.live': Notice,
    'streams.stream.idle': Notice,
    'streams.stream.sources_updated': Notice,
    'streams.stream.layout_updated': Notice,
  },
  gives: {
    mediaEdge: createMediaMtx,
    streams: createStreams,
    streamSources: createSources,
    streamTokens: createTokens,
    edgeGate: createEdgeGate,
    streamRooms: createHub,
  },
  routes: deps => [
    ...streamRoutes(deps),
    ...sourceRoutes(deps),
    ...tokenRoutes(deps),
    ...mediaRoutes(deps),
    ...edgeRoutes(deps),
  ],
  sockets: realtime,
  pages: streamPages,
  listens: streamListeners,
  jobs: streamJobs,
  async stop({ edgeGate, streamRooms }) {
    edgeGate.stop()
    await streamRooms.stop()
  },
  migrations: new URL('./migrations/', import.meta.url),
  templates: new URL('./templates/', import.meta.url),
})
