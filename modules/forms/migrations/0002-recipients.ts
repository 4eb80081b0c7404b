import type { Migration } from '@larder-dev/larder/kernel'

export const up: Migration = async m => {
  // Addresses that aren't members: whether they agreed to receive form notifications of the tenant.
  await m.tenantTable(
    'forms_recipients',
    `id text primary key,
     -- In lower case.
     email text not null,
     state text not null check (state in ('pending', 'confirmed', 'unsubscribed')),
     -- Language in which the recipient confirmed.
     locale text,
     -- Number of requests sent. A link is valid for the latest one only.
     link_version integer not null default 0,
     requested_at timestamptz,
     created_at timestamptz not null,
     updated_at timestamptz not null,
     unique (tenant_id, email)`,
  )
  await m.query('create index on forms_recipients (tenant_id, requested_at)')
  await m.query('create index on forms_recipients (email, requested_at)')
}

export const down: Migration = async m => {
  await m.query('drop table forms_recipients')
}
