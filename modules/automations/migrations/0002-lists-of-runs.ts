import type { Migration } from '@larder-dev/larder/kernel'

export const up: Migration = async ({ query }) => {
  // The last runs of each automation, in all workspaces.
  await query('create index automations_runs_of_automation on automations_runs (automation, id)')
  // The runs of a row, by its ID alone.
  await query(
    'create index automations_runs_of_row on automations_runs (tenant_id, row_id, id) where row_id is not null',
  )
  // The next moment of each automation.
  await query('create index automations_dates_of_automation on automations_dates (automation, due_at)')
}
