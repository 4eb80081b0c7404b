import type { Migration } from 'larder/kernel'

export const up: Migration = async m => {
  await m.tenantTable(
    'forms_forms',
    `id text primary key,
     -- Its name in the recipe.
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
     -- json and not jsonb: fields are shown in the order in which they were written.
     schema json not null,
     ui_schema json,
     created_by text,
     created_at timestamptz not null,
     primary key (form_id, number)`,
  )
  await m.tenantTable(
    'forms_submissions',
    `-- No foreign key: every submission would lock the row of its form. The insert itself looks whether that is there.
     form_id text not null,
     id text not null,
     form_version integer not null,
     data json not null,
     meta json not null,
     -- Why it is taken for spam; null where it is not.
     spam text,
     -- Of what came from the public, for as long as the same again counts as a repetition.
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
