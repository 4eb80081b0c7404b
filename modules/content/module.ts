import { defineModule } from '@larder-dev/larder/kernel'
import { actions } from './actions.ts'
import { events } from './events.ts'
import { jobs } from './jobs.ts'
import { ContentOptions, templatesOf } from './options.ts'
import { checklistSteps } from './pages/checklist.ts'
import { previewPages } from './pages/preview-pages.ts'
import type { MarkdownHtml } from './ports.ts'
import { problems } from './problems.ts'
import { comparisons } from './recipe/comparisons.ts'
import { plan, reconcile } from './recipe/reconcile.ts'
import { sections } from './recipe/sections.ts'
import { validate } from './recipe/validate.ts'
import { resources } from './resources.ts'
import { navigationRoutes } from './routes/navigation.ts'
import { pageRoutes, viewOf } from './routes/pages.ts'
import { previewRoutes } from './routes/preview.ts'
import { publishingRoutes } from './routes/publishing.ts'
import { redirectRoutes } from './routes/redirects.ts'
import { personalData } from './services/personal-data.ts'

export default defineModule({
  name: 'content',
  summary: "Pages with drafts and versions, menus, and redirects. The operator's pages are the public site.",
  needs: ['database', 'clock', 'events', 'jobs', 'caches', 'product', 'operator', 'inspector', 'log', 'workerPool'],
  optional: ['entitlements'],
  options: ContentOptions,
  sections,
  validate,
  permissions: {
    'content.page.read': { title: 'View pages', customers: true },
    'content.page.create': 'Create pages',
    'content.page.update': 'Change pages and view drafts',
    'content.page.delete': 'Delete pages',
    'content.page.publish': 'Publish and unpublish pages',
    'content.navigation.read': { title: 'View menus', customers: true },
    'content.navigation.update': 'Change menus',
    'content.redirect.read': 'View redirects',
    'content.redirect.create': 'Create redirects',
    'content.redirect.update': 'Change redirects',
    'content.redirect.delete': 'Delete redirects',
  },
  roles: {
    'tenant.editor': {
      name: 'Editor',
      description: 'Writes pages, menus and redirects',
      // The site shows those of the operator's workspace.
      operatorOnly: true,
      permissions: ['content.*'],
    },
  },
  problems,
  events,
  actions,
  services: async () => (await import('./services.ts')).services,
  provides: {
    markdownHtml: ({ markdown }): MarkdownHtml => ({
      render: async (tenantId, text) => (await markdown.render(tenantId, text)).html,
    }),
  },
  renderMarkdown:
    ({ markdown }) =>
    async (tenantId, text) =>
      (await markdown.render(tenantId, text)).html,
  routes: (deps, options) => [
    ...pageRoutes(deps),
    ...publishingRoutes(deps),
    ...previewRoutes(deps, options),
    ...navigationRoutes(deps),
    ...redirectRoutes(deps),
  ],
  pages: (_, options) => previewPages(options),
  resources: () => resources,
  names: ({ pageListing }) => [
    {
      prefix: 'pag',
      title: 'Page',
      resource: 'content.pages',
      names: async (ids, caller, tenantId) =>
        caller.can('content.page.read') ? pageListing.titles(tenantId, ids, viewOf(caller)) : [],
    },
    {
      prefix: 'red',
      title: 'Redirect',
      resource: 'content.redirects',
      names: {
        allow: 'content.redirect.read',
        sql: 'select id, source as name from content_redirects where id = any ($1)',
      },
    },
  ],
  // Readers see what is published, which a change of the draft leaves as it is.
  activityPermissions: () => ({ 'content.page.updated': 'content.page.update' }),
  siteTemplates: options => ({
    names: templatesOf(options).map(name => `content.${name}`),
    data: ['heading', 'body', 'sections'],
  }),
  site: ({ publicSite }) => publicSite,
  checklist: checklistSteps,
  jobs,
  reconcile,
  plan,
  comparisons,
  start: ({ reservedPaths }) => reservedPaths.warnAboutHiddenPages(),
  personalData,
  migrations: new URL('./migrations/', import.meta.url),
  templates: new URL('./templates/', import.meta.url),
  locales: new URL('./locales/', import.meta.url),
})
