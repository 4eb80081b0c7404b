import type { Migration } from '@larder-dev/larder/kernel'

export const up: Migration = async m => {
  // Details of sessions of mode stream. A session without a row has the defaults.
  await m.tenantTable(
    'streams_streams',
    `id text primary key,
     title text,
     description text,
     visibility text not null default 'private' check (visibility in ('private', 'public')),
     tags text[] not null default '{}',
     hide_viewer_count boolean not null default false,
     live_status text not null default 'idle' check (live_status in ('idle', 'live', 'reconnecting')),
     live_at timestamptz,
     -- When the edge lost the publisher; null while the stream is live or idle.
     lost_at timestamptz,
     layout jsonb,
     layout_version integer not null default 0,
     -- Excludes finished streams from the directory query. The status of the session remains decisive.
     closed boolean not null default false`,
  )
  await m.query(`create index on streams_streams (id) where visibility = 'public' and not closed`)
  await m.tenantTable(
    'streams_sources',
    `stream_id text not null,
     source_id text not null,
     kind text not null,
     label text,
     width integer,
     height integer,
     fps integer,
     url text,
     metadata jsonb not null,
     created_at timestamptz not null,
     updated_at timestamptz not null,
     primary key (stream_id, source_id)`,
  )
  await m.tenantTable(
    'streams_tokens',
    `id text primary key,
     stream_id text not null,
     token_hash bytea not null unique,
     role text not null check (role in ('publisher', 'viewer')),
     label text,
     expires_at timestamptz,
     max_uses integer,
     uses integer not null default 0,
     created_at timestamptz not null`,
  )
  await m.query('create index on streams_tokens (stream_id, id)')
  // Peer sessions of the realtime socket, and the process that holds each of them.
  await m.tenantTable(
    'streams_peers',
    `peer_id text primary key,
     session_id text not null,
     role text not null check (role in ('publisher', 'viewer')),
     -- Null while the session is parked between a stopped process and the next one.
     node_id text,
     -- The stream token used to join; null for a join token.
     token_id text,
     -- Encrypted handover state of a parked session.
     handover_state bytea,
     parked_at timestamptz`,
  )
  await m.query('create index on streams_peers (session_id)')
  await m.query(`create unique index streams_one_publisher on streams_peers (session_id) where role = 'publisher'`)
  await m.query('create index on streams_peers (node_id)')
  await m.systemTable(
    'streams_nodes',
    'node_id text primary key, seen_at timestamptz not null, suspected boolean not null default false',
  )
}
