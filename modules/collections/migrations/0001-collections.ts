import type { Migration } from '@larder-dev/larder/kernel'

/** The tables of collections are made from the recipe. These two record which of them exist. */
export const up: Migration = async ({ systemTable }) => {
  await systemTable('collections_schema', 'name text primary key, layout jsonb not null, seed_hash text')
  await systemTable(
    'collections_retired',
    `id bigint generated always as identity primary key,
     collection text not null, field text, table_name text not null, column_name text,
     layout jsonb not null, tables jsonb not null, retired_at timestamptz not null`,
  )
}
