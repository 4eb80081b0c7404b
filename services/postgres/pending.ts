/** Compares the migration files with the applied migrations. */
import type { AppliedMigration } from './migrate.ts'
import { type MigrationSet, migrationFiles } from './migration-files.ts'

/** By module. */
export type Applied = ReadonlyMap<string, readonly AppliedMigration[]>

export interface Pending {
  /** Module → migrations that are not applied yet, in order. */
  readonly pending: ReadonlyMap<string, readonly string[]>
  /** Module → applied migrations without a file. The start rejects these. */
  readonly missing: ReadonlyMap<string, readonly string[]>
}

export async function pendingMigrations(sets: readonly MigrationSet[], applied: Applied): Promise<Pending> {
  const [pending, missing] = [new Map<string, string[]>(), new Map<string, string[]>()]
  for (const set of sets) {
    const files = (await migrationFiles(set)).map(({ name }) => name)
    const done = (applied.get(set.module) ?? []).map(({ name }) => name)
    const unapplied = files.filter(name => !done.includes(name))
    const withoutFile = done.filter(name => !files.includes(name))
    if (unapplied.length > 0) pending.set(set.module, unapplied)
    if (withoutFile.length > 0) missing.set(set.module, withoutFile)
  }
  return { pending, missing }
}
