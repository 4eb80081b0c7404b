import { defineModule, job } from 'larder/kernel'
import { createContent, NEEDS } from './services/content-services.ts'
import { events } from './events.ts'
import { ContentOptions } from './options.ts'
import { permissions } from './permissions.ts'
import type {} from './ports.ts'
import { problems } from './problems.ts'
import { plan } from './recipe/plan.ts'
import { reconcile } from './recipe/apply.ts'
import { sections } from './recipe/sections.ts'
import { validate } from './recipe/validate.ts'
import { navigationRoutes } from './routes/navigation.ts'
import { pageRoutes } from './routes/pages.ts'
import { publishingRoutes } from './routes/publishing.ts'
import { redirectRoutes } from './routes/redirects.ts'

export default defineModule({
  name: 'content',
  summary: "Pages with drafts and versions, menus, and redirects. The operator's pages are the public site.",
  needs: NEEDS,
  options: ContentOptions,
  sections,
  validate,
  permissions,
  roles: { 'tenant.editor': { name: 'Editor', permissions: ['content.*'] } },
  problems,
  events,
  provides: { content: createContent },
  routes: deps => [...pageRoutes(deps), ...publishingRoutes(deps), ...navigationRoutes(deps), ...redirectRoutes(deps)],
  site: ({ content }) => content.site,
  jobs: ({ content, operator }) => [
    job('content.publish', {
      run: ({ pageId }, { tenantId }) => content.publishing.due(tenantId ?? operator.tenantId, pageId),
    }),
  ],
  reconcile,
  plan,
  start: ({ content }) => content.hidden.tell(),
  stop: async ({ content }) => content.site.stop(),
  migrations: new URL('./migrations/', import.meta.url),
  templates: new URL('./templates/', import.meta.url),
  locales: new URL('./locales/', import.meta.url),
})
