import { defineModule } from 'larder/kernel'
import { normalizeAll } from './domain/normalize.ts'
import { jobs } from './jobs.ts'
import { listeners } from './listeners.ts'
import type {} from './ports.ts'
import { problems } from './problems.ts'
import { collectionTopics } from './realtime/topics.ts'
import { apply } from './recipe/apply.ts'
import { declarations } from './recipe/declarations.ts'
import { plan } from './recipe/plan.ts'
import { sections } from './recipe/sections.ts'
import { validate } from './recipe/validate.ts'
import { IMPORT_LIMIT, importUploadRoutes } from './routes/imports.ts'
import { collectionRoutes } from './routes/rows.ts'
import { createPageData } from './services/page-data.ts'
import { createReferenceCleanup } from './services/storage/tenant-data.ts'

export default defineModule({
  name: 'collections',
  summary: "The product's own data: tables, API and permissions from the recipe.",
  needs: [
    'database',
    'systemDatabase',
    'schemaOwner',
    'migrations',
    'events',
    'jobs',
    'access',
    'operator',
    'clock',
    'process',
    'product',
    'topics',
  ],
  optional: ['entitlements', 'mediaItems', 'people', 'tenantDirectory'],
  sections,
  validate,
  declare: ({ sections: { collections = {} } }) =>
    declarations(normalizeAll(collections, { from: 'recipe', resolveFile: (_path, file) => file })),
  problems,
  limits: [IMPORT_LIMIT.name],
  provides: {
    collectionServices: {
      load: async () => {
        const { createCollectionServices } = await import('./services/collection-services.ts')
        return (deps, _options, { sections: { collections = {} }, resolveFile }) =>
          createCollectionServices(deps, normalizeAll(collections, { from: 'recipe', resolveFile }))
      },
    },
  },
  routes: collectionRoutes,
  rawRoutes: importUploadRoutes,
  topics: collectionTopics,
  pageData: createPageData,
  listeners,
  jobs,
  deleteTenant: ({ database }, _options, { sections: { collections = {} }, resolveFile }) =>
    createReferenceCleanup(database, normalizeAll(collections, { from: 'recipe', resolveFile })),
  reconcile: apply,
  plan,
  migrations: new URL('./migrations/', import.meta.url),
  locales: new URL('./locales/', import.meta.url),
})
