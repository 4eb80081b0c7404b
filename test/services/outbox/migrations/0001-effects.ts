import type { Migration } from '../../../../kernel/contract/migration.ts'

/** No unique key: an effect that happens twice must show. */
export const up: Migration = ({ tenantTable }) =>
  tenantTable('test_effects', 'event_id text not null, handler text not null')
