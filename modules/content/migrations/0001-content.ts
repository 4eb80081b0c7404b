import type { Migration } from '@larder-dev/larder/kernel'

/** Null or `recipe`, whether editors may change a managed row, and the fingerprint of what the recipe last wrote. */
const MANAGED = `managed_by text, editable boolean not null default true, recipe_hash text`
const TIMES = `created_at timestamptz not null, updated_at timestamptz not null`

export const up: Migration = async m => {
  await m.tenantTable(
    'content_pages',
    `id text primary key,
     slug text not null,
     path text not null,
     locale text not null,
     version integer not null,
     published_version integer,
     published_at timestamptz,
     publish_at timestamptz,
     -- Incremented by every change of text, address or state; the ETag.
     revision integer not null default 1,
     recipe_version integer,
     ${MANAGED}, ${TIMES},
     unique (tenant_id, slug, locale),
     unique (tenant_id, path, locale)`,
  )
  await m.query('create index on content_pages (tenant_id, id)')
  await m.query('create index on content_pages (tenant_id, id) where published_version is not null')
  await m.tenantTable(
    'content_versions',
    `page_id text not null references content_pages (id) on delete cascade,
     number integer not null,
     title text not null,
     body text not null,
     html text not null,
     template text not null,
     seo jsonb not null,
     created_by text,
     created_at timestamptz not null,
     primary key (page_id, number)`,
  )
  await m.tenantTable(
    'content_navigation',
    `key text not null, items jsonb not null, ${MANAGED}, ${TIMES}, primary key (tenant_id, key)`,
  )
  await m.tenantTable(
    'content_redirects',
    `id text primary key,
     source text not null,
     target text,
     status integer not null,
     ${MANAGED}, ${TIMES},
     unique (tenant_id, source)`,
  )
  await m.query('create index on content_redirects (tenant_id, id)')
}
