/** Recipes that were applied to the database, by their fingerprint: a process of an earlier one starts beside a later one. */
import type { Migration } from '@larder-dev/larder/kernel'

export const expands = true

export const up: Migration = async ({ systemTable }) => {
  await systemTable('larder_recipes', 'digest text primary key, applied_at timestamptz not null')
}

export const down: Migration = async ({ query }) => {
  await query('drop table larder_recipes')
}
