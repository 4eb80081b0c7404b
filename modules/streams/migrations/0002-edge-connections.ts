import type { Migration } from '@larder-dev/larder/kernel'

export const up: Migration = async m => {
  await m.query(`alter table streams_streams
    -- The connection that publishes at the media edge. Null while there is none.
    add column edge_source text,
    -- The peer that broadcasts from a browser. Null while there is none.
    add column peer_source text,
    add column edge_viewers integer not null default 0`)
  await m.query('create index on streams_streams (id) where edge_source is not null')
  await m.query('create index on streams_streams (id) where peer_source is not null')
  // Connections at the media edge that a token opened. The edge asks for a token only when a connection is opened, so
  // Larder closes those whose token stops being valid.
  await m.tenantTable(
    'streams_edge_connections',
    `-- The edge's id of the connection, or of a request that precedes it (RTSP).
     id text primary key,
     stream_id text not null,
     -- Null for the join token.
     token_id text,
     -- SHA-256 of the token.
     credential bytea not null,
     protocol text not null,
     address text,
     -- Whether the connection has been counted as a use of its token.
     counted boolean not null,
     -- Whether a second request of the same RTSP player has been admitted with this use.
     paired boolean not null default false,
     -- Consecutive comparisons in which the edge did not list the connection.
     missed integer not null default 0`,
  )
  await m.query('create index on streams_edge_connections (stream_id, token_id)')
}

export const down: Migration = async m => {
  await m.query('drop table streams_edge_connections')
  await m.query(
    'alter table streams_streams drop column edge_source, drop column peer_source, drop column edge_viewers',
  )
}
