/** Creates tables with row level security for migrations. */
import type { Migrator } from '@larder-dev/larder/kernel/internal'
import pg from 'pg'
import { APP_ROLE, type RoleNames, SYSTEM_ROLE, withRoleNames } from './role-names.ts'
import type { SchemaMigrator } from './schema-changes.ts'

type Query = Migrator['query']

const OWN_ROWS = "tenant_id = nullif(current_setting('larder.tenant', true), '')"

/** @param roles of the installation, in place of `larder_app` and `larder_system`, which all migrations name. */
export function createMigrator(send: Query, roles: RoleNames): SchemaMigrator {
  const query: Query = (sql, values) => send(withRoleNames(sql, roles), values)
  return createTables(query)
}

const createTables = (query: Query): SchemaMigrator => ({
  query,
  tenantTable: async (name, columns) => {
    await query(`create table ${name} (tenant_id text not null, ${columns})`)
    await query(enableRowSecurity(name))
    await query(`
      create policy tenant on ${name} to ${APP_ROLE} using (${OWN_ROWS}) with check (${OWN_ROWS});
      grant select, insert, update, delete on ${name} to ${APP_ROLE}`)
  },
  sharedTable: async (name, columns, operatorTenantId) => {
    const isOperator = `${OWN_ROWS} and tenant_id = ${pg.escapeLiteral(operatorTenantId)}`
    await query(`create table ${name} (tenant_id text not null, ${columns})`)
    await query(enableRowSecurity(name))
    await query(`
      create policy shared on ${name} for select to ${APP_ROLE} using (true);
      create policy operator on ${name} to ${APP_ROLE} using (${isOperator}) with check (${isOperator});
      grant select, insert, update, delete on ${name} to ${APP_ROLE}`)
  },
  systemTable: async (name, columns) => {
    await query(`create table ${name} (${columns})`)
    await query(enableRowSecurity(name))
  },
})

const enableRowSecurity = (name: string): string => `
  alter table ${name} enable row level security;
  alter table ${name} force row level security;
  create policy system on ${name} to ${SYSTEM_ROLE} using (true) with check (true);
  grant select, insert, update, delete on ${name} to ${SYSTEM_ROLE}`
