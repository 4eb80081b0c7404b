import type { Migration } from '@larder-dev/larder/kernel'

export const up: Migration = async m => {
  await m.tenantTable(
    'forms_forms',
    `id text primary key,
     -- Key in the recipe.
     key text,
     name text not null,
     access text not null,
     notify text[] not null,
     allowed_origins text[] not null,
     version integer not null,
     managed_by text,
     recipe_hash text,
     created_at timestamptz not null,
     updated_at timestamptz not null,
     unique (tenant_id, key)`,
  )
  await m.query('create index on forms_forms (tenant_id, id)')
  await m.tenantTable(
    'forms_versions',
    `form_id text not null references forms_forms (id) on delete cascade,
     number integer not null,
     name text not null,
     -- json, because jsonb loses the order of fields, which is their order on the page.
     schema json not null,
     ui_schema json,
     created_by text,
     created_at timestamptz not null,
     primary key (form_id, number)`,
  )
  await m.tenantTable(
    'forms_submissions',
    `-- No foreign key, because every submission would lock the row of its form. The insert checks that the form exists.
     form_id text not null,
     id text not null,
     form_version integer not null,
     data json not null,
     meta json not null,
     -- Reason for marking it as spam; null otherwise.
     spam text,
     -- Set for public submissions while an equal one counts as a duplicate.
     fingerprint bytea,
     created_by text,
     created_at timestamptz not null,
     primary key (form_id, id)`,
  )
  await m.query('create index on forms_submissions (form_id, id) where spam is not null')
  await m.query(
    'create unique index forms_submissions_repeated on forms_submissions (fingerprint) where fingerprint is not null',
  )
}
