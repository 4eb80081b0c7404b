import type { Migration } from '../../../kernel/contract/index.ts'

export const up: Migration = async ({ tenantTable }) => {
  await tenantTable('effects_effects', 'event_id text primary key, at timestamptz not null default clock_timestamp()')
}
