/** Types of migration files. */
import type { Result } from './ports/database.ts'

export interface Migrator {
  /** Runs statements as the owner of the schema, in the migration's transaction. Without values, several statements. */
  query<Row = Record<string, unknown>>(sql: string, values?: readonly unknown[]): Promise<Result<Row>>
  /**
   * Creates a table whose rows belong to tenants: `tenant_id text not null`, followed by `columns` as in `create table`.
   * Forced row-level security limits a unit to the rows of its tenant; units across tenants see all rows.
   */
  tenantTable(name: string, columns: string): Promise<void>
  /** Creates a table without tenants. Only units across tenants can access it. */
  systemTable(name: string, columns: string): Promise<void>
}

/**
 * `export const up: Migration` and, if it is reversible, `down`. A file that also exports `const expands = true` only adds:
 * processes of earlier releases, which lack the file, start and work beside it. Without that, they are refused.
 */
export type Migration = (migrator: Migrator) => Promise<void>
