import { defineModule } from 'larder/kernel'
import { events } from './events.ts'
import { NEEDS } from './identity.ts'
import { jobs } from './jobs.ts'
import { LIMIT_NAMES } from './limits.ts'
import { listeners } from './listeners.ts'
import { IdentityOptions } from './options.ts'
import { accountSite, pages } from './pages/pages.ts'
import { permissions } from './permissions.ts'
import { plan } from './plan.ts'
import type {} from './ports.ts'
import { problems } from './problems.ts'
import { provides } from './provides.ts'
import { reconcile } from './reconcile.ts'
import { accountRoutes } from './routes/account.ts'
import { apiKeyRoutes } from './routes/api-keys.ts'
import { auditRoutes } from './routes/audit.ts'
import { authRoutes } from './routes/auth.ts'
import { invitationRoutes } from './routes/invitations.ts'
import { memberRoutes } from './routes/members.ts'
import { roleRoutes } from './routes/roles.ts'
import { tenantRoutes } from './routes/tenants.ts'
import { countSeats } from './usage.ts'

export default defineModule({
  name: 'identity',
  summary: 'Users, workspaces, members, roles, invitations and API keys.',
  needs: NEEDS,
  optional: ['mailer', 'entitlements'],
  options: IdentityOptions,
  permissions,
  problems,
  limits: LIMIT_NAMES,
  usage: { 'identity.seat': countSeats },
  events,
  provides,
  routes: deps => [
    ...authRoutes(deps),
    ...accountRoutes(deps),
    ...tenantRoutes(deps),
    ...memberRoutes(deps),
    ...invitationRoutes(deps),
    ...roleRoutes(deps),
    ...apiKeyRoutes(deps),
    ...auditRoutes(deps),
  ],
  pages,
  site: accountSite,
  listeners: listeners,
  jobs,
  reconcile,
  plan,
  migrations: new URL('./migrations/', import.meta.url),
  emails: new URL('./emails/', import.meta.url),
  templates: new URL('./templates/', import.meta.url),
  locales: new URL('./locales/', import.meta.url),
})
