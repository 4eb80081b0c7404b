import type { Migration } from '../../../kernel/contract/index.ts'

export const up: Migration = async m => {
  await m.tenantTable('metered_things', 'id bigint generated always as identity primary key')
  await m.tenantTable('metered_log', 'id bigint generated always as identity primary key')
  await m.query('create index on metered_things (tenant_id)')
}
