import type { Migration } from '@larder-dev/larder/kernel'

/** An import, its rows until it ends, and the errors of its rows. */
export const up: Migration = async ({ query, tenantTable }) => {
  await tenantTable(
    'collections_imports',
    `id text not null, collection text not null, state text not null, format text not null, by_field text,
     on_error text not null, dry_run boolean not null, caller jsonb not null, created_by text not null,
     idempotency_key text, digest text, total_rows integer not null default 0, checked_rows integer not null default 0,
     next_row integer not null default 0, created_rows integer not null default 0, updated_rows integer not null default 0,
     failed_rows integer not null default 0, failure jsonb, created_at timestamptz not null, finished_at timestamptz,
     primary key (tenant_id, id)`,
  )
  await query(`create unique index collections_imports_key on collections_imports (tenant_id, created_by, collection, idempotency_key)
    where idempotency_key is not null`)
  await query('create index collections_imports_collection on collections_imports (tenant_id, collection, id)')
  await query(
    `create index collections_imports_active on collections_imports (tenant_id, created_by) where finished_at is null`,
  )
  await query('create index collections_imports_time on collections_imports (created_at)')
  await tenantTable(
    'collections_import_batches',
    `import_id text not null, first_row integer not null, row_count integer not null, rows bytea not null,
     primary key (tenant_id, import_id, first_row),
     foreign key (tenant_id, import_id) references collections_imports (tenant_id, id) on delete cascade`,
  )
  await tenantTable(
    'collections_import_errors',
    `import_id text not null, row integer not null, position integer not null, line integer not null, field text,
     code text not null, detail text not null, primary key (tenant_id, import_id, row, position),
     foreign key (tenant_id, import_id) references collections_imports (tenant_id, id) on delete cascade`,
  )
}
