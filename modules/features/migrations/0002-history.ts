import type { Migration } from '@larder-dev/larder/kernel'

/** One row for each revision of a flag, with what it contained after the change. */
export const up: Migration = async m => {
  await m.tenantTable(
    'features_revisions',
    `flag_id text not null references features_flags (id) on delete cascade,
     revision integer not null,
     name text,
     description text,
     definition jsonb not null,
     -- Null for a change of the recipe, and for what a flag contained before this table.
     changed_by text,
     changed_at timestamptz not null,
     primary key (tenant_id, flag_id, revision)`,
  )
  await m.query(
    `insert into features_revisions (tenant_id, flag_id, revision, name, description, definition, changed_at)
     select tenant_id, id, revision, name, description, definition, updated_at from features_flags`,
  )
}
