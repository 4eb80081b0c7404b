/** Creates tables with row level security for migrations. */
import type { Migrator } from 'larder/kernel'
import { APP_ROLE, SYSTEM_ROLE } from './role-names.ts'

type Query = Migrator['query']

export const createMigrator = (query: Query): Migrator => ({
  query,
  tenantTable: async (name, columns) => {
    await query(`create table ${name} (tenant_id text not null, ${columns})`)
    await query(enableRowSecurity(name))
    await query(`
      create policy tenant on ${name} to ${APP_ROLE}
        using (tenant_id = nullif(current_setting('larder.tenant', true), ''))
        with check (tenant_id = nullif(current_setting('larder.tenant', true), ''));
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
