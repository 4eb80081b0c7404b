import { defineModule } from 'larder/kernel'
import { pages } from './pages.ts'
import { permissions } from './permissions.ts'
import { problems } from './problems.ts'
import { auditRoutes } from './routes/audit.ts'
import { deadLetterRoutes } from './routes/dead-letters.ts'
import { eventRoutes } from './routes/events.ts'
import { installationRoutes } from './routes/installation.ts'

export default defineModule({
  name: 'platform',
  summary: 'Console of the installation: modules, queues and failed deliveries.',
  needs: ['inspector', 'product'],
  optional: ['auditLog'],
  permissions,
  problems,
  routes: deps => [...installationRoutes(deps), ...eventRoutes(deps), ...deadLetterRoutes(deps), ...auditRoutes(deps)],
  pages,
  templates: new URL('./templates/', import.meta.url),
  locales: new URL('./locales/', import.meta.url),
})
