import { defineModule, job, listener, SECOND, Type } from 'larder/kernel'
import { createIceServers } from './ice.ts'
import { forgetTenant } from './leaving.ts'
import { SessionsOptions } from './options.ts'
import type {} from './ports.ts'
import { problems } from './problems.ts'
import { joinRoutes } from './routes/join.ts'
import { lifeRoutes } from './routes/life.ts'
import { sessionRoutes } from './routes/sessions.ts'
import { Notice } from './schemas.ts'
import { createSessions } from './service.ts'
import { createSweeper } from './sweep.ts'

export default defineModule({
  name: 'sessions',
  summary: 'Sessions that people join with a token, from creation to end or expiry.',
  needs: ['database', 'events', 'clock', 'bus', 'product'],
  optional: ['webhookTargets'],
  options: SessionsOptions,
  permissions: {
    'sessions.session.create': 'Create sessions',
    'sessions.session.read': 'Read sessions',
    'sessions.session.accept': 'Accept sessions',
    'sessions.session.end': 'End sessions and replace their join tokens',
  },
  problems,
  limits: ['sessions.join'],
  events: {
    'sessions.session.created': Notice,
    'sessions.session.accepted': Notice,
    'sessions.session.ended': Notice,
    'sessions.session.expired': Notice,
    'sessions.session.token_rotated': Type.Object({ session_id: Type.String() }),
  },
  provides: { sessions: createSessions, iceServers: createIceServers },
  routes: (deps, options) => [...sessionRoutes(deps), ...lifeRoutes(deps), ...joinRoutes(deps, options)],
  listeners: deps => [listener('identity.tenant.deleted', ({ tenantId }) => forgetTenant(deps, tenantId))],
  jobs: deps => {
    const sweep = createSweeper(deps)
    // The lock of a killed sweeper lasts twice its timeout.
    return [job('sessions.sweep', { every: '5s', timeout: 5 * SECOND, run: (_, { signal }) => sweep(signal) })]
  },
  migrations: new URL('./migrations/', import.meta.url),
  locales: new URL('./locales/', import.meta.url),
})
