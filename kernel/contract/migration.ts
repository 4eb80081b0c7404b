/** What a migration file exports, and what it receives. */
import type { Result } from './ports/database.ts'

export interface Migrator {
  /** As the owner of the schema, in the migration's own transaction. Several statements where there are no values. */
  query<Row = Record<string, unknown>>(sql: string, values?: readonly unknown[]): Promise<Result<Row>>
  /**
   * A table whose rows belong to tenants: `columns` as in `create table`, before them `tenant_id text not null`. Row
   * level security, forced, shows and takes the rows of the unit's tenant alone; the system's units see all.
   */
  tenantTable(name: string, columns: string): Promise<void>
  /** A table that belongs to no tenant: only `systemDatabase` can access it. */
  systemTable(name: string, columns: string): Promise<void>
}

/** `export const up: Migration`, and `down` where it can be undone. */
export type Migration = (migrator: Migrator) => Promise<void>
