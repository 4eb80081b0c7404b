/**
 * Automations: a trigger, conditions and steps in the recipe.
 *
 * - `domain/definition`: automations as written and in their normal form, which runs keep.
 * - `domain/values`: `$row.title`, `{{row.title}}`, conditions, and the types of what a trigger offers.
 * - `domain/times`: cron in a time zone, and moments before and after dates.
 * - `recipe`: the section, its schema for editors, its check, and what `apply` and `plan` do.
 * - `services/starts`: what starts runs. `services/runs`: what runs their steps. `services/asks`: questions.
 */

import { defineModule } from '@larder-dev/larder/kernel'
import { events } from './events.ts'
import { jobs } from './jobs.ts'
import { listeners } from './listeners.ts'
import { Options } from './options.ts'
import { askPage } from './pages/ask.ts'
import type {} from './ports.ts'
import { problems } from './problems.ts'
import { apply } from './recipe/apply.ts'
import { declarations } from './recipe/declarations.ts'
import { editorSchemas } from './recipe/editor-schema.ts'
import { plan } from './recipe/plan.ts'
import { sections } from './recipe/sections.ts'
import { createTools } from './recipe/trial/trials.ts'
import { validate } from './recipe/validate.ts'
import { resourceAdditions, resources, runsOfRows } from './resources.ts'
import { askRoutes } from './routes/asks.ts'
import { automationRoutes } from './routes/automations.ts'
import { buttonRoutes } from './routes/buttons.ts'
import { HOOK_LIMIT, hookRoutes } from './routes/hooks.ts'
import { runRoutes } from './routes/runs.ts'
import { erasePersonalData, personalData } from './services/personal-data.ts'
import { runMetrics } from './services/run-metrics.ts'
import { OUTPUT_COLUMN } from './services/runs/outputs.ts'
import { createImportRuns } from './services/starts/import-runs.ts'

export default defineModule({
  name: 'automations',
  summary: 'When this happens, do that: triggers, conditions and steps in the recipe.',
  needs: [
    'database',
    'systemDatabase',
    'clock',
    'log',
    'secrets',
    'jobs',
    'events',
    'registry',
    'access',
    'operator',
    'product',
    'process',
  ],
  optional: ['collections', 'people', 'tenantDirectory', 'entitlements', 'mailer', 'memberNotices'],
  options: Options,
  sections,
  sectionSchemas: editorSchemas,
  validate,
  declare: ({ sections: { automations = {} } }) => declarations(automations),
  permissions: {
    'automations.run.read': { title: 'View automations and their runs in every workspace', scope: 'platform' },
    'automations.run.retry': { title: 'Retry and repeat runs of automations in every workspace', scope: 'platform' },
    'automations.run.cancel': { title: 'Cancel runs of automations in every workspace', scope: 'platform' },
  },
  problems,
  limits: [HOOK_LIMIT.name],
  events,
  services: async () => (await import('./services.ts')).services,
  provides: { automations: createTools },
  routes: deps => [...runRoutes(deps), ...askRoutes(deps), ...automationRoutes(deps), ...buttonRoutes(deps)],
  rawRoutes: hookRoutes,
  pages: deps => [askPage(deps)],
  resources: deps => [...resources, ...runsOfRows(deps)],
  resourceAdditions,
  names: () => [
    { prefix: 'run', title: 'Run' },
    { prefix: 'ask', title: 'Question' },
  ],
  listeners,
  importRuns: createImportRuns,
  jobs,
  sealedColumns: () => [OUTPUT_COLUMN],
  metrics: runMetrics,
  personalData,
  erasePersonalData,
  deleteTenant: ({ control }) => control.cancelJobs,
  reconcile: apply,
  plan,
  migrations: new URL('./migrations/', import.meta.url),
  emails: new URL('./emails/', import.meta.url),
  templates: new URL('./templates/', import.meta.url),
  locales: new URL('./locales/', import.meta.url),
})
