import type { Migration } from '@larder-dev/larder/kernel'

/** `tenantTable` adds `tenant_id` and row level security: a tenant reads and writes only its own rows. */
export const up: Migration = async m => {
  await m.tenantTable(
    'invoices_invoices',
    `id text primary key,
     number integer not null,
     customer text not null,
     amount integer not null check (amount > 0),
     currency text not null,
     status text not null default 'draft' check (status in ('draft', 'sent', 'paid')),
     due_at timestamptz,
     created_at timestamptz not null default now()`,
  )
  await m.query('create unique index on invoices_invoices (tenant_id, number)')
  await m.query('create index on invoices_invoices (tenant_id, id desc)')
  // One counter per tenant. The row is locked until the invoice commits, so numbers have no gaps.
  await m.tenantTable('invoices_counters', 'last integer not null')
  await m.query('create unique index on invoices_counters (tenant_id)')
}

export const down: Migration = async m => {
  await m.query('drop table invoices_invoices')
  await m.query('drop table invoices_counters')
}
