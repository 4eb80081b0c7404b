import type { Migration } from '@larder-dev/larder/kernel'

export const up: Migration = async m => {
  await m.tenantTable(
    'console_views',
    `id text primary key,
     -- The resource whose list it shows: collections.courses.
     list text not null,
     name text not null,
     shared boolean not null,
     state jsonb not null,
     version integer not null default 1,
     created_by text not null,
     created_at timestamptz not null,
     updated_at timestamptz not null`,
  )
  await m.query('create unique index console_views_name on console_views (tenant_id, list, created_by, name)')
}

export const down: Migration = async m => {
  await m.query('drop table console_views')
}
