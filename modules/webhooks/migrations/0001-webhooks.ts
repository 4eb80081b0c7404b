import type { Migration } from '@larder-dev/larder/kernel'

export const up: Migration = async m => {
  await m.tenantTable(
    'webhooks_secrets',
    `id text primary key,
     sealed bytea not null,
     created_at timestamptz not null,
     -- Null for the current secret. Rotated secrets sign until this time.
     expires_at timestamptz`,
  )
  await m.query('create unique index webhooks_current_secret on webhooks_secrets (tenant_id) where expires_at is null')
  await m.query('create index on webhooks_secrets (tenant_id)')
  await m.tenantTable(
    'webhooks_deliveries',
    `id text primary key,
     event_id text not null unique,
     type text not null,
     session_id text not null,
     sequence integer not null,
     url text not null,
     host text not null,
     address text not null,
     payload jsonb not null,
     occurred_at timestamptz not null,
     status text not null check (status in ('pending', 'delivered', 'dead')),
     reason text check (reason in ('gone', 'refused', 'exhausted')),
     attempts integer not null default 0,
     -- Failed attempts since the delivery was queued or retried manually.
     failures integer not null default 0,
     -- During an attempt: the end of the lease.
     next_attempt_at timestamptz,
     claimed_by text,
     response_status integer,
     error text,
     delivered_at timestamptz,
     created_at timestamptz not null,
     updated_at timestamptz not null`,
  )
  await m.query(`create index webhooks_due on webhooks_deliveries (host, next_attempt_at) where status = 'pending'`)
  await m.query('create index webhooks_claimed on webhooks_deliveries (host) where claimed_by is not null')
  await m.query(`create index webhooks_gone on webhooks_deliveries (session_id) where reason = 'gone'`)
  await m.query(`create index webhooks_done on webhooks_deliveries (updated_at) where status <> 'pending'`)
  await m.query('create index on webhooks_deliveries (tenant_id, id)')
  await m.query('create index on webhooks_deliveries (tenant_id, session_id, id)')
  await m.tenantTable(
    'webhooks_attempts',
    `delivery_id text not null references webhooks_deliveries (id) on delete cascade,
     number integer not null,
     at timestamptz not null,
     duration_ms integer not null,
     status integer,
     error text,
     answer text,
     primary key (delivery_id, number)`,
  )
}
