import type { Migration } from '@larder-dev/larder/kernel'

export const up: Migration = async ({ query }) => {
  // Since when no recipe has the definition. It is deleted with its last run.
  await query('alter table automations_definitions add column retired_at timestamptz')
  await query('create index automations_runs_of_definition on automations_runs (digest)')
  // When a recipe changed the automation: moments before it are none.
  await query('alter table automations_schedules add column changed_at timestamptz not null default now()')
}

export const down: Migration = async ({ query }) => {
  await query('drop index automations_runs_of_definition')
  await query('alter table automations_schedules drop column changed_at')
  await query('alter table automations_definitions drop column retired_at')
}
