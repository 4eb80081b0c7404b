import type { Migration } from '@larder-dev/larder/kernel'

/** Columns that are filled in batches, and those that serve an earlier version of the recipe. */
export const up: Migration = async ({ systemTable }) => {
  await systemTable(
    'collections_expansions',
    `collection text not null, field text not null, kind text not null, expansion jsonb not null, complete boolean not null, since timestamptz not null,
     last_tenant text not null default '', last_id text not null default '', filled bigint not null default 0,
     primary key (collection, field, kind)`,
  )
}
