/** What a migration file exports, and what it is given. */
import type { Result } from '../ports.ts'
import { APP_ROLE, SYSTEM_ROLE } from './app-access.ts'

export interface Migrator {
  /** As the owner of the schema, in the migration's own transaction. Several statements where there are no values. */
  query<Row = Record<string, unknown>>(sql: string, values?: readonly unknown[]): Promise<Result<Row>>
  /**
   * A table whose rows belong to tenants: `columns` as in `create table`, before them `tenant_id text not null`. Row
   * level security, forced, shows and takes the rows of the unit's tenant alone; the system's units see all.
   */
  tenantTable(name: string, columns: string): Promise<void>
  /** A table that belongs to no tenant: `database.system(…)` alone may touch it. */
  systemTable(name: string, columns: string): Promise<void>
}

/** `export const up: Migration`, and `down` where it can be undone. */
export type Migration = (migrator: Migrator) => Promise<void>

type Query = Migrator['query']

export const createMigrator = (query: Query): Migrator => ({
  query,
  tenantTable: async (name, columns) => {
    await query(`create table ${name} (tenant_id text not null, ${columns})`)
    await query(secured(name))
    await query(`
      create policy tenant on ${name} to ${APP_ROLE}
        using (tenant_id = nullif(current_setting('larder.tenant', true), ''))
        with check (tenant_id = nullif(current_setting('larder.tenant', true), ''));
      grant select, insert, update, delete on ${name} to ${APP_ROLE}`)
  },
  systemTable: async (name, columns) => {
    await query(`create table ${name} (${columns})`)
    await query(secured(name))
  },
})

const secured = (name: string): string => `
  alter table ${name} enable row level security;
  alter table ${name} force row level security;
  create policy system on ${name} to ${SYSTEM_ROLE} using (true) with check (true);
  grant select, insert, update, delete on ${name} to ${SYSTEM_ROLE}`
