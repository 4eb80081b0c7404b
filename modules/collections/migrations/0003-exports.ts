import type { Migration } from '@larder-dev/larder/kernel'

/** An export, and its file in parts until it is deleted. */
export const up: Migration = async ({ query, tenantTable }) => {
  await tenantTable(
    'collections_exports',
    `id text not null, collection text not null, state text not null, format text not null, query jsonb not null,
     caller jsonb not null, created_by text not null, total_rows integer, exported_rows integer not null default 0,
     parts integer not null default 0, bytes bigint not null default 0, stored_bytes bigint not null default 0,
     next_cursor text, failure jsonb, created_at timestamptz not null, finished_at timestamptz,
     primary key (tenant_id, id)`,
  )
  await query('create index collections_exports_collection on collections_exports (tenant_id, collection, id)')
  await query('create index collections_exports_time on collections_exports (created_at)')
  await tenantTable(
    'collections_export_parts',
    `export_id text not null, position integer not null, content bytea not null,
     primary key (tenant_id, export_id, position),
     foreign key (tenant_id, export_id) references collections_exports (tenant_id, id) on delete cascade`,
  )
}
