import type { Migration } from '@larder-dev/larder/kernel'

/** Solved tasks of people who are not signed in, each of which works once. */
export const up: Migration = async m => {
  await m.systemTable('collections_used_proofs', 'signature text primary key, expires_at timestamptz not null')
  await m.query('create index on collections_used_proofs (expires_at)')
}

export const down: Migration = async m => {
  await m.query('drop table collections_used_proofs')
}
