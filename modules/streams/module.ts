import { defineModule } from 'larder/kernel'
import { streamJobs } from './jobs.ts'
import { streamListeners } from './listeners.ts'
import { StreamsOptions } from './options.ts'
import { streamPages, streamSite } from './pages/streams.ts'
import { permissions } from './permissions.ts'
import type {} from './ports.ts'
import { problems } from './problems.ts'
import { createHub } from './realtime/hub.ts'
import { realtime } from './realtime/socket.ts'
import { mediaRoutes } from './routes/media.ts'
import { edgeRoutes } from './routes/media-hooks.ts'
import { events } from './routes/schemas.ts'
import { sourceRoutes } from './routes/sources.ts'
import { streamRoutes } from './routes/streams.ts'
import { tokenRoutes } from './routes/tokens.ts'
import { createEdgeGate } from './services/media-authorizer.ts'
import { createMediaMtx } from './services/mediamtx.ts'
import { createSources } from './services/source-service.ts'
import { createStreams } from './services/stream-service.ts'
import { createTokens } from './services/token-service.ts'

export default defineModule({
  name: 'streams',
  summary: 'Streams: what they show, where they play, and the realtime socket of publishers and viewers.',
  needs: ['database', 'events', 'jobs', 'bus', 'clock', 'secrets', 'log', 'sessions', 'iceServers'],
  optional: ['webhooks'],
  options: StreamsOptions,
  permissions,
  problems,
  events,
  provides: {
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
  site: streamSite,
  listeners: streamListeners,
  jobs: streamJobs,
  async stop({ edgeGate, streamRooms }) {
    edgeGate.stop()
    await streamRooms.stop()
  },
  migrations: new URL('./migrations/', import.meta.url),
  templates: new URL('./templates/', import.meta.url),
})
