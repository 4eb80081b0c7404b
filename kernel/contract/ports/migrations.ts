/** What the kernel asks of the service that owns the database schema. */

/** The migrations of one service or module. */
export interface MigrationSet {
  readonly module: string
  readonly folder: URL
}
export interface AppliedMigration {
  readonly name: string
  /** Null where the database was not asked. */
  readonly appliedAt: Date | null
}
/** By module. */
export type AppliedMigrations = ReadonlyMap<string, readonly AppliedMigration[]>

export interface PendingMigrations {
  /** Module → migrations that were not applied yet, in order. */
  readonly pending: ReadonlyMap<string, readonly string[]>
  /** Module → applied migrations whose files are missing. A start refuses them. */
  readonly missing: ReadonlyMap<string, readonly string[]>
}

export interface Migrations {
  /** Applies what is missing, in the order of `sets`. Safe from several processes at once. */
  run(sets: readonly MigrationSet[]): Promise<void>
  applied(): Promise<AppliedMigrations>
  /** Reads files only. */
  pending(sets: readonly MigrationSet[], applied: AppliedMigrations): Promise<PendingMigrations>
  /** Loads what ports need of an up-to-date schema. Throws where the services' own migrations are missing. */
  open(): Promise<void>
  /** Holds the lock of this name, across processes, while `work` runs. */
  exclusively<T>(name: string, work: () => Promise<T>): Promise<T>
  /** Tables of a module that the recipe no longer names, with their number of rows, counted up to `limit`. */
  tables(module: string, limit: number): Promise<readonly { readonly name: string; readonly rows: number }[]>
  /** What `writeApplied` wrote last; undefined before the first time. */
  readApplied(): Promise<unknown>
  writeApplied(applied: unknown, now: number): Promise<void>
  /** False where connecting would create the database. */
  exists(): Promise<boolean>
  /** Returns true for the error with which a read-only connection refuses a write. */
  refusedWrite(error: unknown): boolean
  /** Where the data is, without a password. */
  readonly place: string
}
