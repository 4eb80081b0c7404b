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
import type {} from './ports.ts'
import { editorSchemas } from './recipe/editor-schema.ts'
import { sections } from './recipe/sections.ts'

export default defineModule({
  name: 'automations',
  summary: 'When this happens, do that: triggers, conditions and steps in the recipe.',
  needs: ['database', 'systemDatabase', 'clock', 'log', 'jobs', 'events', 'registry', 'access', 'operator', 'product'],
  optional: ['collections', 'people', 'tenantDirectory', 'entitlements'],
  sections,
  sectionSchemas: editorSchemas,
  events,
  migrations: new URL('./migrations/', import.meta.url),
  locales: new URL('./locales/', import.meta.url),
})
