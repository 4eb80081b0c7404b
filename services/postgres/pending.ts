/** Which migrations a database still lacks. */
import type { AppliedMigration } from './migrate.ts'
import { type MigrationSet, migrationFiles } from './migration-files.ts'

/** By module. */
export type Applied = ReadonlyMap<string, readonly AppliedMigration[]>

export interface Pending {
  /** Module → migrations that were not applied yet, in their order. */
  readonly waiting: ReadonlyMap<string, readonly string[]>
  /** Applied before, and no longer there: the start refuses that. */
  readonly lost: ReadonlyMap<string, readonly string[]>
}

export async function pendingMigrations(sets: readonly MigrationSet[], applied: Applied): Promise<Pending> {
  const [waiting, lost] = [new Map<string, string[]>(), new Map<string, string[]>()]
  for (const set of sets) {
    const files = (await migrationFiles(set)).map(({ name }) => name)
    const done = (applied.get(set.module) ?? []).map(({ name }) => name)
    const [fresh, gone] = [files.filter(name => !done.includes(name)), done.filter(name => !files.includes(name))]
    if (fresh.length > 0) waiting.set(set.module, fresh)
    if (gone.length > 0) lost.set(set.module, gone)
  }
  return { waiting, lost }
}
