import { defineModule } from '@larder-dev/larder/kernel'
import { actions } from './actions.ts'
import { recipeTypes } from './domain/declarations/recipe-types.ts'
import { pageCountCheck, pageQueryCheck } from './domain/queries/page-query.ts'
import { pageFormCheck } from './domain/rows/page-form.ts'
import { createProfileFields } from './domain/rows/profile-fields.ts'
import { jobs } from './jobs.ts'
import { listeners } from './listeners.ts'
import { CollectionsOptions, packagesFor } from './options.ts'
import type {} from './ports.ts'
import { problems } from './problems.ts'
import { collectionTopics } from './realtime/topics.ts'
import { apply } from './recipe/apply.ts'
import { automationRows } from './recipe/automation-rows.ts'
import { comparisons } from './recipe/comparisons.ts'
import { declarations } from './recipe/declarations.ts'
import { formTargets } from './recipe/form-targets.ts'
import { allCollections, createCollectionMap } from './recipe/module-collections.ts'
import { plan } from './recipe/plan.ts'
import { reminders } from './recipe/reminders.ts'
import { sections } from './recipe/sections.ts'
import { validate } from './recipe/validate.ts'
import { collectionResources } from './resources.ts'
import { EXPORT_LIMIT } from './routes/exports.ts'
import { IMPORT_LIMIT, importUploadRoutes } from './routes/imports.ts'
import { collectionRoutes } from './routes/rows.ts'
import { GUEST_LIMIT } from './services/guest-rows.ts'
import { createOperatorRows } from './services/operator-rows.ts'
import { createPageData } from './services/page-data.ts'
import { createPageForms } from './services/page-forms.ts'
import { erasePersonalData, personalData } from './services/personal-data.ts'
import { createRowNames } from './services/row-names.ts'
import { createCollectionRows } from './services/row-store.ts'
import { createSchemaChecks } from './services/storage/schema-check.ts'
import { createReferenceCleanup } from './services/storage/tenant-data.ts'

export default defineModule({
  name: 'collections',
  summary: "The product's own data: tables, API and permissions from the recipe.",
  needs: [
    'database',
    'systemDatabase',
    'tenantSuspension',
    'schemaOwner',
    'migrations',
    'events',
    'jobs',
    'access',
    'operator',
    'clock',
    'secrets',
    'process',
    'product',
    'topics',
    'theme',
    'registry',
    'settings',
    'log',
  ],
  optional: ['entitlements', 'mediaItems', 'people', 'callerRights', 'tenantDirectory', 'markdownHtml'],
  options: CollectionsOptions,
  packages: packagesFor,
  sections,
  validate,
  declare: ({ sections: { collections = {} }, modules }) =>
    declarations(allCollections(collections, modules, (_path, file) => file)),
  pageDataCheck({ sections: { collections = {} }, modules }) {
    const declared = allCollections(collections, modules, (_path, file) => file)
    return { query: pageQueryCheck(declared), form: pageFormCheck(declared), count: pageCountCheck(declared) }
  },
  automationRows,
  formTargets,
  problems,
  actions,
  limits: [IMPORT_LIMIT.name, EXPORT_LIMIT.name, GUEST_LIMIT],
  services: async () => ({ collectionMap: createCollectionMap, ...(await import('./services.ts')).services }),
  provides: { collections: createCollectionRows, operatorRows: createOperatorRows },
  routes: collectionRoutes,
  resources: ({ collectionMap }) => collectionResources(collectionMap),
  names: deps =>
    [...deps.collectionMap.values()].map(collection => ({
      prefix: collection.idPrefix,
      title: collection.label,
      resource: `collections.${collection.name}`,
      names: createRowNames(deps, collection),
    })),
  types: ({ collectionMap }) => [recipeTypes(collectionMap) ?? []].flat(),
  rawRoutes: importUploadRoutes,
  topics: collectionTopics,
  pageData: deps => ({ ...createPageData(deps), ...createPageForms(deps) }),
  listeners,
  jobs,
  checks: createSchemaChecks,
  deleteTenant: ({ database, registry }, _options, { sections: { collections = {} }, resolveFile }) =>
    createReferenceCleanup(database, allCollections(collections, registry.declared(), resolveFile)),
  /** Mistakes in hooks fail the start. */
  verify: ({ hooks }) => hooks.load(),
  reconcile: apply,
  plan,
  comparisons,
  reminders,
  profileFields: (_deps, _options, { sections: { profile } }) => createProfileFields(profile),
  personalData,
  erasePersonalData,
  migrations: new URL('./migrations/', import.meta.url),
  locales: new URL('./locales/', import.meta.url),
})
