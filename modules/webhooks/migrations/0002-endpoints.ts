import type { Migration } from '@larder-dev/larder/kernel'

export const up: Migration = async m => {
  await m.tenantTable(
    'webhooks_endpoints',
    `id text primary key,
     url text not null,
     host text not null,
     address text not null,
     -- Event types and wildcards: identity.member.joined, identity.member.*, identity.*, *.
     events text[] not null,
     description text,
     status text not null check (status in ('active', 'paused')),
     pause_reason text check (pause_reason in ('manual', 'failing', 'gone')),
     paused_at timestamptz,
     -- Time of the first failed attempt since the last success.
     failing_since timestamptz,
     -- Endpoints of the recipe belong to the operator's tenant and receive the events of every tenant.
     managed_by text,
     key text,
     recipe_hash text,
     -- Incremented by every change; the ETag.
     revision integer not null default 1,
     created_at timestamptz not null,
     updated_at timestamptz not null`,
  )
  await m.query('create index on webhooks_endpoints (tenant_id, id)')
  await m.query('create unique index on webhooks_endpoints (tenant_id, key) where managed_by is not null')

  await m.query(
    'alter table webhooks_secrets add column endpoint_id text references webhooks_endpoints (id) on delete cascade',
  )
  await m.query('drop index webhooks_current_secret')
  await m.query(`create unique index webhooks_current_secret on webhooks_secrets (tenant_id, coalesce(endpoint_id, ''))
    where expires_at is null`)
  await m.query('create index on webhooks_secrets (endpoint_id) where endpoint_id is not null')

  await m.query(`alter table webhooks_deliveries
    -- Null for deliveries to the URL of a session. Not a foreign key: deliveries outlive their endpoint.
    add column endpoint_id text,
    -- The tenant of the event; another tenant than tenant_id in deliveries to endpoints of the recipe.
    add column event_tenant_id text,
    add column subject text,
    alter column session_id drop not null,
    alter column sequence drop not null,
    drop constraint webhooks_deliveries_event_id_key,
    drop constraint webhooks_deliveries_reason_check,
    add constraint webhooks_deliveries_reason_check
      check (reason in ('gone', 'refused', 'exhausted', 'paused', 'deleted'))`)
  await m.query(
    `create unique index webhooks_delivery_of_event on webhooks_deliveries (event_id, coalesce(endpoint_id, ''))`,
  )
  await m.query('create index on webhooks_deliveries (tenant_id, endpoint_id, id) where endpoint_id is not null')
  await m.query(`create index webhooks_endpoint_pending on webhooks_deliveries (endpoint_id)
    where endpoint_id is not null and status = 'pending'`)
  await m.query(`create index webhooks_of_other_tenants on webhooks_deliveries (event_tenant_id)
    where event_tenant_id is not null and event_tenant_id <> tenant_id`)
}
