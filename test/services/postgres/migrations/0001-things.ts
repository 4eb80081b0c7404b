import type { Migration } from '../../../../kernel/contract/migration.ts'

export const up: Migration = async ({ query, tenantTable, systemTable }) => {
  await tenantTable('test_things', 'id text primary key, name text not null unique, size int not null default 1')
  await tenantTable('test_parts', 'id text primary key, thing_id text references test_things (id)')
  await systemTable('test_secrets', 'id text primary key')
  await query('create table test_late (id int references test_late deferrable initially deferred, key int primary key)')
  await query('grant select, insert on test_late to larder_app')
}
