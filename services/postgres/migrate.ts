/** Migrations of every module, in order, each in a transaction of its own, by one process at a time. */
import type { Migrator, Result } from 'larder/kernel'
import type pg from 'pg'
import type { Logger } from 'pino'
import type { AppAccess } from './app-access.ts'
import { createMigrator } from './migration.ts'
import { loadMigration, type MigrationFile, type MigrationSet, migrationFiles } from './migration-files.ts'
import { withOwner } from './owner.ts'
import { checkAppRole, ensureRoles } from './roles.ts'

export interface AppliedMigration {
  readonly name: string
  readonly appliedAt: Date
}

const LOCK = 'larder migrate'
const UNDEFINED_TABLE = '42P01'

/**
 * Makes the roles and brings the schema up to date. Of several processes that start at once one does it; the others
 * wait and find it done.
 * @throws Error where a migration fails, naming it, or was applied and is gone.
 */
export async function migrate(
  ownerUrl: string,
  access: AppAccess,
  sets: readonly MigrationSet[],
  log: Logger,
): Promise<void> {
  await withOwner(ownerUrl, log, async client => {
    await client.query('select pg_advisory_lock(hashtextextended($1, 0))', [LOCK])
    await ensureRoles((sql, values) => client.query(sql, values), access)
    await client.query(
      `create table if not exists larder_migrations
         (module text not null, name text not null, applied_at timestamptz not null, primary key (module, name))`,
    )
    for (const set of sets) await migrateModule(client, set, log)
  })
  await checkAppRole(access)
}

async function migrateModule(client: pg.Client, set: MigrationSet, log: Logger): Promise<void> {
  const files = await migrationFiles(set)
  const done = async (): Promise<string[]> => {
    const { rows } = await client.query('select name from larder_migrations where module = $1 order by name', [
      set.module,
    ])
    return rows.map(({ name }) => name as string)
  }
  const applied = await done()
  assertNoneGone(set, files, applied)
  if (files.every(({ name }) => applied.includes(name))) return
  // Loaded where there is something to do: most starts find nothing, and umzug brings a hundred files along.
  const { Umzug } = await import('umzug')
  const umzug = new Umzug({
    migrations: files.map(file => ({ name: file.name, up: () => apply(client, set.module, file) })),
    // `apply` notes it in the transaction of the migration: either both happened or neither.
    storage: { executed: done, logMigration: async () => {}, unlogMigration: async () => {} },
    logger: undefined,
  })
  for (const { name } of await umzug.up()) log.info({ module: set.module, migration: name }, 'migrated')
}

async function apply(client: pg.Client, module: string, file: MigrationFile): Promise<void> {
  const { up } = await loadMigration(file)
  await client.query('begin')
  try {
    await up(migratorOf(client))
    await client.query('insert into larder_migrations (module, name, applied_at) values ($1, $2, now())', [
      module,
      file.name,
    ])
    await client.query('commit')
  } catch (error) {
    // The connection ends with this error, and what the migration did with it.
    const reason = error instanceof Error ? error.message : String(error)
    throw new Error(`migration ${file.name} of module ${module} failed, and nothing of it was kept: ${reason}`, {
      cause: error,
    })
  }
}

function migratorOf(client: pg.Client): Migrator {
  return createMigrator(async <Row>(sql: string, values?: readonly unknown[]) => {
    // Without values pg takes several statements at once, and answers with as many results.
    const answer = await client.query(sql, values as unknown[] | undefined)
    const last = Array.isArray(answer) ? answer.at(-1) : answer
    return { rows: last.rows, rowCount: last.rowCount ?? 0 } as Result<Row>
  })
}

function assertNoneGone({ module }: MigrationSet, files: readonly MigrationFile[], applied: readonly string[]): void {
  const gone = applied.filter(name => !files.some(file => file.name === name))
  if (gone.length > 0)
    throw new Error(
      `module ${module} has no file for what was applied to this database before: ${gone.join(', ')}. Bring the file ` +
        'back, or give a renamed one its old name: migrations are never removed or renamed, new ones are added.',
    )
}

/** What was applied, a list a module; empty on a database that was never migrated. */
export async function appliedMigrations(ownerUrl: string, log: Logger): Promise<Map<string, AppliedMigration[]>> {
  const applied = new Map<string, AppliedMigration[]>()
  await withOwner(ownerUrl, log, async client => {
    const { rows } = await client
      .query('select module, name, applied_at from larder_migrations order by module, name')
      .catch(error => {
        if (error.code === UNDEFINED_TABLE) return { rows: [] }
        throw error
      })
    for (const { module, name, applied_at } of rows)
      applied.set(module, [...(applied.get(module) ?? []), { name, appliedAt: applied_at }])
  })
  return applied
}
