import type { Migration } from '@larder-dev/larder/kernel'

export const up: Migration = async ({ query }) => {
  // For the lists of operators: the runs of all workspaces, and those of one state.
  await query('create index automations_runs_by_id on automations_runs (id)')
  await query('create index automations_runs_of_state on automations_runs (state, id)')
}
