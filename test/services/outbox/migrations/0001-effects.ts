import type { Migration } from '../../../../kernel/contract/migration.ts'

/** No unique key, so that repeated effects are visible. */
export const up: Migration = ({ tenantTable }) =>
  tenantTable('test_effects', 'event_id text not null, handler text not null')
