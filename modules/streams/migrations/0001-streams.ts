import type { Migration } from 'larder/kernel'

export const up: Migration = async m => {
  // One row for each session of mode stream that has something of its own to say; none means the defaults.
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
     -- When the edge lost its publisher; null while it is live or idle.
     lost_at timestamptz,
     layout jsonb,
     layout_version integer not null default 0,
     -- The directory need not look at it any more; who reads decides by the session all the same.
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
  // Places in the rooms of the realtime socket: which process holds whom.
  await m.tenantTable(
    'streams_peers',
    `peer_id text primary key,
     session_id text not null,
     role text not null check (role in ('publisher', 'viewer')),
     -- Null while the place waits, after its process stopped, for the next one to take it up.
     node_id text,
     -- The stream token that opened it; null for a join token.
     token_id text,
     -- What is still to be sent, encrypted, while it waits.
     kept bytea,
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
