import { defineModule } from '@larder-dev/larder/kernel'
import { actions } from './actions.ts'
import { events } from './events.ts'
import { sessionJobs } from './jobs.ts'
import { SessionsOptions } from './options.ts'
import type {} from './ports.ts'
import { problems } from './problems.ts'
import { resources } from './resources.ts'
import { joinRoutes } from './routes/join.ts'
import { lifecycleRoutes } from './routes/lifecycle.ts'
import { sessionRoutes } from './routes/sessions.ts'
import { createIceServers } from './services/ice-servers.ts'
import { createSessions } from './services/session-service.ts'
import { createTransitions } from './services/session-transitions.ts'

export default defineModule({
  name: 'sessions',
  summary: 'Sessions that people join with a token, from creation to end or expiry.',
  needs: ['database', 'systemDatabase', 'events', 'clock', 'bus', 'product'],
  optional: ['webhookTargets'],
  options: SessionsOptions,
  permissions: {
    'sessions.session.create': 'Create sessions',
    'sessions.session.read': 'View sessions',
    'sessions.session.accept': 'Accept sessions',
    'sessions.session.end': 'End sessions and rotate their join tokens',
  },
  problems,
  limits: ['sessions.join'],
  events,
  actions,
  services: { transitions: createTransitions },
  provides: { sessions: createSessions, iceServers: createIceServers },
  routes: (deps, options) => [...sessionRoutes(deps), ...lifecycleRoutes(deps), ...joinRoutes(deps, options)],
  resources: () => resources,
  words: () => ({
    viewer_protocols: { 'native-relay': 'Relay for native apps', 'browser-webrtc': 'WebRTC in the browser' },
  }),
  names: () => [
    {
      prefix: 'ses',
      title: 'Session',
      resource: 'sessions.sessions',
      names: {
        allow: 'sessions.session.read',
        sql: 'select id, code as name from sessions_sessions where id = any ($1)',
      },
    },
  ],
  // A join token is found without its workspace. The other rows are deleted later.
  stopTenant:
    ({ database, bus }) =>
    async tenantId => {
      const unit = database.tenant(tenantId)
      await unit.defer([
        [`delete from sessions_sessions where tenant_id = $1 and status in ('created', 'accepted')`, [tenantId]],
      ])
      database.afterCommit(() => bus.publish('sessions.changed', { tenantId, change: 'removed' }))
    },
  jobs: sessionJobs,
  migrations: new URL('./migrations/', import.meta.url),
  locales: new URL('./locales/', import.meta.url),
})
