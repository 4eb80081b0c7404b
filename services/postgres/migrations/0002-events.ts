/** The outbox and its deliveries, the job queue, and messages that are too long for NOTIFY. */

import type { Migration } from '@larder-dev/larder/kernel'
export const up: Migration = async ({ query, tenantTable, systemTable }) => {
  await tenantTable(
    'larder_events',
    `id text primary key,
     type text not null,
     version integer not null,
     occurred_at timestamptz not null,
     actor jsonb not null,
     subject text,
     correlation_id text,
     causation_id text,
     payload jsonb not null,
     dispatched_at timestamptz`,
  )
  // Events are immutable: a tenant's unit may insert events and read its own.
  await query('revoke update, delete on larder_events from larder_app')
  // A partial index, so the cost of claiming events does not grow with the table.
  await query('create index larder_events_waiting on larder_events (id) where dispatched_at is null')
  await query('create index larder_events_by_tenant on larder_events (tenant_id, id)')
  // Only the sweep uses it. BRIN, because a B-tree would cost the relay one index entry per event.
  await query('create index larder_events_by_age on larder_events using brin (dispatched_at)')

  await systemTable(
    'larder_deliveries',
    `id text primary key,
     event_id text not null,
     handler text not null,
     tenant_id text not null,
     state text not null check (state in ('pending', 'done', 'dead')),
     attempts integer not null,
     next_attempt_at timestamptz,
     last_error text,
     done_at timestamptz,
     unique (event_id, handler)`,
  )
  await query(`create index larder_deliveries_due on larder_deliveries (next_attempt_at) where state = 'pending'`)
  await query(`create index larder_deliveries_dead on larder_deliveries (id) where state = 'dead'`)

  await systemTable(
    'larder_jobs',
    `id text primary key,
     name text not null,
     tenant_id text,
     data jsonb not null,
     context jsonb not null,
     key text,
     state text not null default 'waiting' check (state in ('waiting', 'running', 'done', 'dead')),
     attempts integer not null default 0,
     run_at timestamptz not null,
     locked_until timestamptz,
     last_error text,
     created_at timestamptz not null,
     finished_at timestamptz`,
  )
  await query(`create unique index larder_jobs_key on larder_jobs (name, key) where state = 'waiting'`)
  // At most one run of a recurring job waits or runs at a time.
  await query(`create unique index larder_jobs_every on larder_jobs (name)
    where key = '@every' and state in ('waiting', 'running')`)
  await query(`create index larder_jobs_due on larder_jobs (name, run_at) where state = 'waiting'`)
  await query(`create index larder_jobs_leases on larder_jobs (locked_until) where state = 'running'`)
  await query(`create index larder_jobs_dead on larder_jobs (id) where state = 'dead'`)
  await query(`create index larder_jobs_done on larder_jobs (finished_at) where state = 'done'`)

  // Schedules of recurring jobs. The columns are those of @agendajs/postgres-backend 3.
  await systemTable(
    'larder_agenda',
    `id uuid primary key default gen_random_uuid(), name varchar(255) not null, priority integer not null default 0,
    next_run_at timestamptz, type varchar(10) not null default 'normal' check (type in ('normal', 'single')),
    locked_at timestamptz, last_finished_at timestamptz, failed_at timestamptz, fail_count integer, fail_reason text,
    repeat_timezone varchar(100), last_run_at timestamptz, repeat_interval varchar(255), data jsonb default '{}',
    repeat_at varchar(255), disabled boolean default false, progress real, fork boolean default false,
    last_modified_by varchar(255), debounce_started_at timestamptz, start_date timestamptz, end_date timestamptz,
    skip_days jsonb, created_at timestamptz default now(), updated_at timestamptz default now()`,
  )
  await query(
    'create index on larder_agenda (name, next_run_at, priority desc, locked_at, disabled) where not disabled',
  )
  await query(`create unique index on larder_agenda (name) where type = 'single'`)
  // Unlogged: a crash loses the rows, as it loses notifications.
  await systemTable(
    'larder_bus_messages',
    'id text primary key, body text not null, created_at timestamptz not null default now()',
  )
  await query('alter table larder_bus_messages set unlogged')
}
