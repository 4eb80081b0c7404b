import { defineModule, listener } from 'larder/kernel'
import { events } from './events.ts'
import { createFeatures, NEEDS, WANTS } from './services/feature-services.ts'
import { permissions } from './permissions.ts'
import type {} from './ports.ts'
import { problems } from './problems.ts'
import { plan } from './recipe/plan.ts'
import { reconcile } from './recipe/apply.ts'
import { sections } from './recipe/sections.ts'
import { validate } from './recipe/validate.ts'
import { evaluationRoutes } from './routes/evaluations.ts'
import { flagRoutes } from './routes/flags.ts'
import { ofrepRoutes } from './routes/ofrep.ts'
import { overrideRoutes } from './routes/overrides.ts'
import { forgetTenant } from './services/tenant-data.ts'

export default defineModule({
  name: 'features',
  summary: 'Feature flags: rules, rollouts, overrides and entitlements, evaluated in memory; speaks OFREP.',
  needs: NEEDS,
  optional: WANTS,
  sections,
  validate,
  permissions,
  roles: { 'tenant.releaser': { name: 'Release manager', permissions: ['features.feature.*'] } },
  problems,
  events,
  provides: { features: createFeatures },
  routes: deps => [...flagRoutes(deps), ...overrideRoutes(deps), ...evaluationRoutes(deps), ...ofrepRoutes(deps)],
  listeners: deps => [listener('identity.tenant.deleted', ({ payload }) => forgetTenant(deps, payload.tenantId))],
  reconcile,
  plan,
  start: async ({ features }) => void (await features.memory.ofRecipe()),
  stop: async ({ features }) => features.memory.stop(),
  migrations: new URL('./migrations/', import.meta.url),
})
