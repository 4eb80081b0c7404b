import type { Migration } from '@larder-dev/larder/kernel'

export const up: Migration = async m => {
  // Bytes of each tenant's rows by table, replaced by each scan of the table.
  await m.tenantTable(
    'billing_row_storage',
    'table_name text not null, bytes bigint not null, primary key (tenant_id, table_name)',
  )
  await m.query('create index on billing_row_storage (table_name)')
  await m.systemTable(
    'billing_row_scans',
    `table_name text primary key,
     -- Statistics of the table at the scan. The same statistics later mean the same rows.
     fingerprint text not null,
     -- When the last run began that scanned the table or found it unchanged.
     scanned_at timestamptz not null,
     duration_ms integer not null`,
  )
}
