/** The interface of the port `schemaOwner`. Types only. */
import type { Migrator, Result } from '@larder-dev/larder/kernel/internal'

/** Changes tables that depend on the recipe. All others are created by migrations. */
export interface SchemaOwner {
  /**
   * Runs `work` on a connection of its own, as the owner of the schema: it sees the rows of every tenant, and its statements
   * have no time limit. Call it under `migrations.exclusively('reconcile')`; the hook `reconcile` has this lock.
   */
  connect<T>(work: (session: OwnerSession) => Promise<T>): Promise<T>
}
export interface OwnerSession {
  /** Runs one statement outside a transaction, for example `create index concurrently`. */
  query<Row = Record<string, unknown>>(sql: string, values?: readonly unknown[]): Promise<Result<Row>>
  transaction<T>(work: (migrator: SchemaMigrator) => Promise<T>): Promise<T>
}
export interface SchemaMigrator extends Migrator {
  /** Like `tenantTable`, but every tenant can read all rows, and only the operator's tenant can write its own. */
  sharedTable(name: string, columns: string, operatorTenantId: string): Promise<void>
}
