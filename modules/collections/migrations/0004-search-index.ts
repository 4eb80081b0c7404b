import type { Migration } from '@larder-dev/larder/kernel'

/** Lets a GIN index begin with the tenant. The extension is part of PostgreSQL, and trusted: no superuser is needed. */
export const up: Migration = async ({ query }) => {
  await query('create extension if not exists btree_gin')
}
