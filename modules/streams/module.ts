import { defineModule } from 'larder/kernel'
import { createEdgeGate } from './edge/gate.ts'
import { createMediaMtx } from './edge/mediamtx.ts'
import { streamJobs } from './jobs.ts'
import { streamListeners } from './listeners.ts'
import { StreamsOptions } from './options.ts'
import { streamPages, streamSite } from './pages.ts'
import { permissions } from './permissions.ts'
import type {} from './ports.ts'
import { problems } from './problems.ts'
import { createHub } from './realtime/hub.ts'
import { edgeRoutes } from './routes/edge.ts'
import { mediaRoutes } from './routes/media.ts'
import { sourceRoutes } from './routes/sources.ts'
import { streamRoutes } from './routes/streams.ts'
import { tokenRoutes } from './routes/tokens.ts'
import { events } from './schemas.ts'
import { realtime } from './socket.ts'
import { createSources } from './sources.ts'
import { createStreams } from './streams.ts'
import { createTokens } from './tokens.ts'

export default defineModule({
  name: 'streams',
  summary: 'Streams: details, playback and the realtime socket for publishers and viewers.',
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
  locales: new URL('./locales/', import.meta.url),
})
