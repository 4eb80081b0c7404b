import type { Migration } from '@larder-dev/larder/kernel'

export const up: Migration = async m => {
  await m.tenantTable(
    'media_items',
    `id text primary key,
     file_name text not null,
     mime_type text not null,
     -- Bytes: declared first, then actual.
     size bigint not null,
     sha256 text,
     status text not null,
     hold text,
     -- Processing attempts.
     tries integer not null default 0,
     rejection jsonb,
     variants jsonb not null default '[]',
     width integer,
     height integer,
     -- Processing lease: its random id and expiry.
     claim text,
     claimed_until timestamptz,
     -- Uploads with the signed URL end before this time.
     closes_at timestamptz not null,
     created_by text,
     created_at timestamptz not null,
     updated_at timestamptz not null`,
  )
  await m.query('create index on media_items (tenant_id, id)')
  await m.query(
    `create index on media_items (tenant_id) include (size) where status in ('pending', 'uploaded', 'processing', 'ready')`,
  )
  await m.query(`create index on media_items (claimed_until) where status = 'processing'`)
}
