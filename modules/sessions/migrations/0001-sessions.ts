import type { Migration } from '@larder-dev/larder/kernel'

export const up: Migration = async m => {
  await m.tenantTable(
    'sessions_sessions',
    `id text primary key,
     code text not null,
     join_token_hash bytea not null unique,
     mode text not null check (mode in ('screenshare', 'stream')),
     stream_profile text not null,
     audio_enabled boolean not null,
     purpose text,
     customer text,
     metadata jsonb not null,
     webhook_url text,
     webhook_events text[] not null,
     status text not null default 'created' check (status in ('created', 'accepted', 'ended', 'expired')),
     -- Number of events about this session, including those of other modules.
     sequence integer not null default 1,
     created_at timestamptz not null,
     expires_at timestamptz not null,
     accepted_at timestamptz,
     -- Set on acceptance if the recipe limits the duration.
     ends_at timestamptz,
     ended_at timestamptz,
     end_reason text check (end_reason in ('owner', 'max_duration'))`,
  )
  await m.query(
    `create unique index sessions_live_code on sessions_sessions (code) where status in ('created', 'accepted')`,
  )
  await m.query('create index on sessions_sessions (tenant_id, id)')
  await m.query('create index on sessions_sessions (tenant_id, customer, id) where customer is not null')
  await m.query(`create index on sessions_sessions (expires_at) where status = 'created'`)
  await m.query(`create index on sessions_sessions (ends_at) where status = 'accepted' and ends_at is not null`)
}
