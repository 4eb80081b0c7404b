import { defineModule } from '@larder-dev/larder/kernel'
import { actions } from './actions.ts'
import { flagTypes } from './domain/flag-types.ts'
import { events } from './events.ts'
import type {} from './ports.ts'
import { problems } from './problems.ts'
import { plan, reconcile } from './recipe/flags.ts'
import { sections } from './recipe/sections.ts'
import { validate } from './recipe/validate.ts'
import { resources } from './resources.ts'
import { evaluationRoutes } from './routes/evaluations.ts'
import { flagRoutes } from './routes/flags.ts'
import { ofrepRoutes } from './routes/ofrep.ts'
import { overrideRoutes } from './routes/overrides.ts'
import { personalData } from './services/personal-data.ts'

export default defineModule({
  name: 'features',
  summary: 'Feature flags: rules, rollouts, overrides and entitlements, evaluated in memory. Supports OFREP.',
  needs: ['database', 'systemDatabase', 'clock', 'events', 'caches', 'operator'],
  optional: ['entitlements', 'tenantDirectory', 'callerRights'],
  sections,
  validate,
  permissions: {
    'features.feature.read': 'View features and their rules',
    'features.feature.create': 'Create features',
    'features.feature.update': 'Change features and set overrides',
    'features.feature.delete': 'Delete features',
    'features.feature.evaluate': { title: 'Evaluate features', customers: true },
    'features.product.manage': { title: 'Manage features of every workspace', scope: 'platform' },
    'features.override.grant': { title: 'Override any feature in any workspace', scope: 'platform' },
  },
  roles: {
    'tenant.releaser': {
      name: 'Release manager',
      description: 'Turns feature flags on and off',
      permissions: ['features.feature.*'],
    },
  },
  problems,
  events,
  actions,
  services: async () => (await import('./services.ts')).services,
  provides: { features: ({ evaluations }) => ({ value: evaluations.value }) },
  routes: deps => [...flagRoutes(deps), ...overrideRoutes(deps), ...evaluationRoutes(deps), ...ofrepRoutes(deps)],
  resources: () => resources,
  names: () => [
    {
      prefix: 'ftr',
      title: 'Feature flag',
      resource: 'features.flags',
      names: {
        allow: 'features.feature.read',
        sql: 'select id, coalesce(name, key) as name, key from features_flags where id = any ($1)',
      },
    },
  ],
  client: (_deps, _options, recipe) => [
    {
      name: 'flags',
      source: new URL('./client.ts', import.meta.url),
      factory: 'createFlags',
      types: { Flags: flagTypes(recipe.sections.features ?? {}) },
    },
  ],
  reconcile,
  plan,
  start: async ({ flagCache }) => void (await flagCache.forRecipe()),
  personalData,
  migrations: new URL('./migrations/', import.meta.url),
  locales: new URL('./locales/', import.meta.url),
})
