/** Compares the migration files with the applied migrations. */
import type { AppliedMigrations, MigrationSet, PendingMigrations } from '@larder-dev/larder/kernel/internal'
import { migrationFiles } from './migration-files.ts'

export async function pendingMigrations(
  sets: readonly MigrationSet[],
  applied: AppliedMigrations,
): Promise<PendingMigrations> {
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
