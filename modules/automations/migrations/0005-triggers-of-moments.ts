import type { Migration } from '@larder-dev/larder/kernel'

/** Processes of two recipes plan side by side: each has the schedules and moments of its own triggers. */
export const up: Migration = async ({ query }) => {
  // Moments are planned anew, for the triggers that the recipe has.
  await query('truncate automations_dates')
  await query('update automations_schedules set planned_at = null')
  await query(
    `alter table automations_dates
       add column trigger text not null,
       add column written_at timestamptz not null default clock_timestamp(),
       drop constraint automations_dates_pkey,
       add primary key (tenant_id, automation, row_id, trigger)`,
  )
  // Since when the recipe of the last start lacks the trigger. It is deleted when no process has claimed it for a day.
  await query(
    `alter table automations_schedules
       add column retired_at timestamptz,
       drop constraint automations_schedules_pkey,
       add primary key (automation, trigger)`,
  )
}
