import { defineService, type Settings } from '@larder-dev/larder/kernel'
import { ANSWER_COLUMN } from './api/idempotency.ts'
import { statistics } from './monitoring/response-times.ts'
import { needs, optional } from './needs.ts'
import type {} from './ports.ts'
import { http as problems } from './problems.ts'
import { limitNames, validate } from './recipe/rate-limits.ts'
import { sections } from './recipe/sections.ts'
import { settings } from './settings.ts'
import type { Http } from './types.ts'

export default defineService({
  name: 'http',
  summary: 'Serves routes, pages, WebSockets, the OpenAPI document, health checks and metrics.',
  needs,
  optional,
  problems,
  settings,
  sections,
  validate,
  statistics,
  sealedColumns: () => [ANSWER_COLUMN],
  sectionKeys: modules => ({ rateLimits: limitNames(modules) }),
  services: {
    realtimeServers: {
      load: async () => (await import('./sockets/realtime/realtime.ts')).createRealtime,
      dispose: servers => servers.stop(),
    },
  },
  provides: {
    http: { load: async () => (await import('./create.ts')).createServer, dispose: http => http.close(), lazy: true },
    realtime: ({ realtimeServers }) => realtimeServers,
  },
  /** Mounts all endpoints, so that mistakes fail the start. */
  verify: ({ http }) => void http.endpoints(),
  serve: async ({ http, settings }) => {
    await listenForMonitoring(http, settings)
    await http.listen(settings.port, settings.host)
  },
  work: ({ http, settings }) => listenForMonitoring(http, settings),
  drain: ({ http }) => http.drain(),
})

async function listenForMonitoring(http: Http, { metricsPort, host }: Settings): Promise<void> {
  if (metricsPort !== undefined) await http.listenForMonitoring(metricsPort, host)
}
