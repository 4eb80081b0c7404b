import type { Migration } from '@larder-dev/larder/kernel'

export const up: Migration = async ({ query, systemTable, tenantTable }) => {
  // Definitions with which runs began, by their digest. They belong to the product, like its recipe.
  await systemTable(
    'automations_definitions',
    `digest text primary key,
     automation text not null,
     definition jsonb not null,
     created_at timestamptz not null`,
  )
  await tenantTable(
    'automations_runs',
    `id text not null,
     automation text not null,
     digest text not null,
     -- What makes it unique: an event, a planned time, a row and its date, a delivery, or a press.
     key text not null,
     trigger text not null,
     state text not null,
     collection text,
     row_id text,
     -- What the trigger offered: the event, the input, the last row.
     input jsonb not null,
     -- Of the next step that begins, from 0.
     position integer not null default 0,
     depth integer not null default 1,
     cause jsonb not null,
     wakes_at timestamptz,
     error jsonb,
     created_at timestamptz not null,
     finished_at timestamptz,
     primary key (tenant_id, id),
     unique (tenant_id, automation, key)`,
  )
  await query('create index automations_runs_list on automations_runs (tenant_id, automation, id)')
  await query('create index automations_runs_row on automations_runs (tenant_id, collection, row_id, id)')
  await query(`create index automations_runs_open on automations_runs (automation, digest) where finished_at is null`)
  await query('create index automations_runs_old on automations_runs (finished_at) where finished_at is not null')
  await tenantTable(
    'automations_steps',
    `run_id text not null,
     position integer not null,
     -- Of a step with each, from 0; -1 otherwise.
     item integer not null default -1,
     name text,
     action text not null,
     state text not null,
     attempts integer not null default 0,
     input jsonb,
     output jsonb,
     -- The output, encrypted, if it has secrets, which the column output lacks.
     sealed bytea,
     error jsonb,
     started_at timestamptz not null,
     finished_at timestamptz,
     primary key (tenant_id, run_id, position, item),
     foreign key (tenant_id, run_id) references automations_runs (tenant_id, id) on delete cascade`,
  )
  await tenantTable(
    'automations_asks',
    `id text not null,
     run_id text not null,
     position integer not null,
     automation text not null,
     role text not null,
     text jsonb not null,
     choices text[] not null,
     expires_at timestamptz not null,
     choice text,
     answered_by text,
     answered_at timestamptz,
     created_at timestamptz not null,
     primary key (tenant_id, id),
     unique (tenant_id, run_id, position),
     foreign key (tenant_id, run_id) references automations_runs (tenant_id, id) on delete cascade`,
  )
  await query('create index automations_asks_open on automations_asks (tenant_id, role, id) where answered_at is null')
  // When an automation with before or after is due for a row.
  await tenantTable(
    'automations_dates',
    `automation text not null,
     collection text not null,
     row_id text not null,
     -- The date of the row.
     date timestamptz not null,
     due_at timestamptz not null,
     primary key (tenant_id, automation, row_id)`,
  )
  await query('create index automations_dates_due on automations_dates (due_at)')
  await query('create index automations_dates_row on automations_dates (tenant_id, collection, row_id)')
  // When an automation with every is due, and what apply has computed for existing rows.
  await systemTable(
    'automations_schedules',
    `automation text primary key,
     -- Digest of the trigger. Another one is planned anew.
     trigger text not null,
     next_at timestamptz,
     -- Null until the dates of existing rows are planned.
     planned_at timestamptz`,
  )
}
