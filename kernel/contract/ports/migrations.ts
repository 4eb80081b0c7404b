/** The port of the service that owns the database schema. */

/** The migrations of one service or module. */
export interface MigrationSet {
  readonly module: string
  readonly folder: URL
}
export interface AppliedMigration {
  readonly name: string
  /** Null if the database was not read. */
  readonly appliedAt: Date | null
  /** Whether processes of earlier releases, which lack its file, work beside it. */
  readonly expands: boolean
  /** The version of Larder that applied it; null for versions that didn't record it. */
  readonly release: string | null
}
/** By module. */
export type AppliedMigrations = ReadonlyMap<string, readonly AppliedMigration[]>

export interface PendingMigrations {
  /** Module → migrations that are not applied yet, in order. */
  readonly pending: ReadonlyMap<string, readonly string[]>
  /** Module → applied migrations whose files are missing, and that prevent a start. */
  readonly missing: ReadonlyMap<string, readonly AppliedMigration[]>
  /** Module → applied migrations of a later release that a start works beside. */
  readonly beside: ReadonlyMap<string, readonly AppliedMigration[]>
}

export interface Migrations {
  /** Applies pending migrations in the order of `sets`. Safe to run in several processes at once. */
  run(sets: readonly MigrationSet[]): Promise<void>
  applied(): Promise<AppliedMigrations>
  /** Reads files only. */
  pending(sets: readonly MigrationSet[], applied: AppliedMigrations): Promise<PendingMigrations>
  /** Prepares ports that depend on the schema. Throws if migrations of the services are missing. */
  open(): Promise<void>
  /** Runs `work` under a named lock that all processes share. */
  exclusively<T>(name: string, work: () => Promise<T>): Promise<T>
  /** Tables of a module with their number of rows, counted up to `limit`. */
  tables(module: string, limit: number): Promise<readonly { readonly name: string; readonly rows: number }[]>
  /** The value of the last `writeApplied`; undefined before the first one. */
  readApplied(): Promise<unknown>
  /** @param digest identifies the recipe. */
  writeApplied(applied: unknown, digest: string, now: number): Promise<void>
  /** `current` if the recipe was applied last, `earlier` if another one was applied after it, `new` if it never was. */
  recipeState(digest: string): Promise<'current' | 'earlier' | 'new'>
  /** Returns false if connecting would create the database. */
  exists(): Promise<boolean>
  /** Returns true for the error of a write on a read-only connection. */
  refusedWrite(error: unknown): boolean
  /** Where the data is, without a password. */
  readonly place: string
}
