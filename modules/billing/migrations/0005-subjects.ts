import type { Migration } from '@larder-dev/larder/kernel'

const TABLES = [
  'billing_subscriptions',
  'billing_event_histories',
  'billing_meters',
  'billing_credit_entries',
  'billing_credit_lots',
] as const

/**
 * In products of people, customers have plans of their own. The keys of these tables follow when such a product starts
 * (recipe/keys.ts): processes of the last version write by the keys that it knows.
 */
export const up: Migration = async m => {
  for (const table of TABLES) await m.query(`alter table ${table} add column member_id text not null default ''`)
}

export const down: Migration = async m => {
  for (const table of TABLES) await m.query(`alter table ${table} drop column member_id`)
}
