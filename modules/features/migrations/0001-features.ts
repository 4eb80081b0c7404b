import type { Migration } from '@larder-dev/larder/kernel'

export const up: Migration = async m => {
  await m.tenantTable(
    'features_flags',
    `id text primary key,
     key text not null collate "C",
     name text,
     description text,
     -- Type Definition in domain/flag.ts.
     definition jsonb not null,
     -- Incremented by every change; the ETag.
     revision integer not null default 1,
     -- Flags of the recipe belong to the operator's tenant and apply to every tenant.
     managed_by text,
     editable boolean not null default true,
     recipe_hash text,
     created_at timestamptz not null,
     updated_at timestamptz not null`,
  )
  // The operator's tenant can have its own flag with the key of a recipe flag, which then hides it.
  await m.query(`create unique index on features_flags (tenant_id, key) where managed_by is null`)
  await m.query(`create unique index on features_flags (tenant_id, key) where managed_by is not null`)
  await m.tenantTable(
    'features_overrides',
    `key text not null collate "C",
     value jsonb not null,
     created_at timestamptz not null,
     updated_at timestamptz not null,
     primary key (tenant_id, key)`,
  )
}
