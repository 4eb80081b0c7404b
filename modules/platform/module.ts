import { defineModule } from '@larder-dev/larder/kernel'
import { publicEventsOf } from '@larder-dev/larder/kernel/internal'
import type {} from './ports.ts'
import { problems } from './problems.ts'
import { eventWords, resources } from './resources.ts'
import { activityRoutes } from './routes/activity.ts'
import { auditRoutes } from './routes/audit.ts'
import { deadLetterRoutes } from './routes/dead-letters.ts'
import { eventRoutes } from './routes/events.ts'
import { installationRoutes } from './routes/installation.ts'
import { jobRoutes } from './routes/jobs.ts'
import { logRoutes } from './routes/logs.ts'
import { nameRoutes } from './routes/names.ts'
import { problemRoutes } from './routes/problems.ts'
import { resourceRoutes } from './routes/resources.ts'
import { searchRoutes } from './routes/search.ts'
import { settingRoutes } from './routes/settings.ts'
import { statisticRoutes } from './routes/statistics.ts'
import { createActivity } from './services/activity.ts'
import { createDiagnosis } from './services/diagnosis.ts'
import { searchSources } from './services/event-search.ts'
import { createNames } from './services/names.ts'
import { createResourceCatalog } from './services/resource-catalog.ts'
import { createSearch } from './services/search.ts'
import { createStatistics } from './services/statistics.ts'

export default defineModule({
  name: 'platform',
  summary: 'Console of the installation: modules, queues and failed deliveries.',
  needs: [
    'inspector',
    'product',
    'operator',
    'registry',
    'theme',
    'http',
    'jobActivity',
    'clock',
    'log',
    'recentLog',
    'recipeFile',
    'settings',
    'caches',
    'database',
    'systemDatabase',
  ],
  optional: ['auditLog', 'tenantDirectory'],
  permissions: {
    'platform.info.read': 'View the version and modules of the installation',
    'platform.module.read': 'View the registrations of modules',
    'platform.event.read': 'View events and their deliveries',
    'platform.event.replay': 'Replay events',
    'platform.dead_letter.read': 'View failed events and jobs',
    'platform.dead_letter.retry': 'Retry failed events and jobs',
    'platform.job.read': 'View background jobs',
    'platform.statistic.read': 'View statistics',
    'platform.audit.read': 'View the audit log',
    'platform.search.read': {
      title: 'Search people, workspaces, emails and events of the installation',
      scope: 'platform',
    },
    'platform.recipe.read': { title: 'View the recipe', scope: 'platform' },
    'platform.module.configure': { title: 'View the options of modules', scope: 'platform' },
    'platform.queue.read': { title: 'View the queue of all tenants', scope: 'platform' },
    'platform.log.read': { title: 'View the log of the last hour', scope: 'platform' },
    'platform.tenant.read_all': {
      title: 'View events, failed ones, statistics and the audit log of every tenant',
      scope: 'platform',
    },
    'platform.tenant.retry_all': { title: 'Replay events and retry failed ones of every tenant', scope: 'platform' },
  },
  problems,
  services: {
    activity: createActivity,
    diagnosis: createDiagnosis,
    names: createNames,
    resourceCatalog: createResourceCatalog,
    search: createSearch,
    statistics: createStatistics,
  },
  search: searchSources,
  routes: deps => [
    ...installationRoutes(deps),
    ...resourceRoutes(deps),
    ...nameRoutes(deps),
    ...activityRoutes(deps),
    ...eventRoutes(deps),
    ...deadLetterRoutes(deps),
    ...jobRoutes(deps),
    ...statisticRoutes(deps),
    ...logRoutes(deps),
    ...settingRoutes(deps),
    ...problemRoutes(deps),
    ...auditRoutes(deps),
    ...searchRoutes(deps),
  ],
  resources: ({ auditLog, registry }) =>
    resources({ hasAuditLog: auditLog !== undefined, publicEvents: publicEventsOf(registry.declared()) }),
  names: () => [
    {
      prefix: 'evt',
      title: 'Event',
      resource: 'platform.events',
      names: {
        allow: 'platform.event.read',
        allowAll: 'platform.tenant.read_all',
        sql: 'select id, type as name from larder_events where id = any ($1)',
      },
    },
    { prefix: 'dlv', title: 'Delivery' },
  ],
  words: ({ registry }) => ({ eventType: eventWords(publicEventsOf(registry.declared())) }),
  /** Mistakes in resources fail the start. */
  verify: ({ resourceCatalog }) => resourceCatalog.check(),
  locales: new URL('./locales/', import.meta.url),
})
