/** Runs the migrations of every module in order, each in its own transaction, in one process at a time. */
import type { Migrator, Result } from '@larder-dev/larder/kernel/internal'
import type pg from 'pg'
import type { Logger } from 'pino'
import type { AppAccess } from './app-access.ts'
import { withoutBackup } from './backup/lock.ts'
import { createMigrator } from './migration.ts'
import { loadMigration, type MigrationFile, type MigrationSet, migrationFiles } from './migration-files.ts'
import { operatorErrors } from './operator-errors.ts'
import type { OwnerConnection } from './owner.ts'
import type { Query } from './role-catalog.ts'
import type { RoleNames } from './role-names.ts'
import { checkAppRole, checkPoolerLogin, ensureRoles, settleFormerRoles } from './roles.ts'
import { assertSecretKnown, recordSecrets } from './secret.ts'

export interface AppliedMigration {
  readonly name: string
  readonly appliedAt: Date
}

export interface MigrateOptions {
  readonly owner: OwnerConnection
  readonly access: AppAccess
  /** Whether requests go through a pooler. */
  readonly pooled: boolean
  readonly secrets: readonly string[]
  readonly sets: readonly MigrationSet[]
  readonly log: Logger
}

const LOCK_NAME = 'larder migrate'
const MAX_NAMED_MIGRATIONS = 10
const UNDEFINED_TABLE = '42P01'

/**
 * Creates the roles and brings the schema up to date. If several processes start at once, one migrates and the others
 * wait for it.
 * @throws OperatorError if the secret is not that of the database, if a migration fails, or if the file of an applied migration is missing.
 */
export async function migrate({ owner, access, pooled, secrets, sets, log }: MigrateOptions): Promise<void> {
  const login = await owner.run(async client => {
    await client.query('select pg_advisory_lock(hashtextextended($1, 0))', [LOCK_NAME])
    await assertSecretKnown(client, secrets)
    const query: Query = (sql, values) => client.query(sql, values)
    const login = await ensureRoles(query, access, log)
    try {
      await client.query(
        `create table if not exists larder_migrations
           (module text not null, name text not null, applied_at timestamptz not null, primary key (module, name))`,
      )
      const applied: string[] = []
      for (const set of sets) applied.push(...(await migrateModule(client, set, access.roles, log)))
      if (applied.length > 0) log.info(summaryOf(applied), 'migrated')
      await settleFormerRoles(query, access, log)
      await recordSecrets(client, secrets)
      return login
    } catch (error) {
      await login?.end()
      throw error
    }
  })
  await checkAppRole(access, login)
  if (pooled) await checkPoolerLogin(access)
}

/** A new database has more migrations than anybody reads. */
const summaryOf = (applied: readonly string[]) =>
  applied.length > MAX_NAMED_MIGRATIONS ? { count: applied.length } : { migrations: applied }

/** Returns the migrations that it applied, as `module/name`. */
async function migrateModule(client: pg.Client, set: MigrationSet, roles: RoleNames, log: Logger): Promise<string[]> {
  const files = await migrationFiles(set)
  const { rows } = await client.query<{ name: string }>(
    'select name from larder_migrations where module = $1 order by name',
    [set.module],
  )
  const applied = new Set(rows.map(({ name }) => name))
  assertNoneMissing(set, files, applied)
  const missing = files.filter(file => !applied.has(file.name))
  const onWait = () => log.warn('a backup runs; the migrations wait until it ends')
  for (const file of missing) {
    await withoutBackup(client, onWait, () => apply(client, set.module, file, roles))
    log.debug({ module: set.module, migration: file.name }, 'migrated')
  }
  return missing.map(({ name }) => `${set.module}/${name}`)
}

async function apply(client: pg.Client, module: string, file: MigrationFile, roles: RoleNames): Promise<void> {
  const { up } = await loadMigration(file)
  await client.query('begin')
  try {
    await up(createClientMigrator(client, roles))
    await client.query('insert into larder_migrations (module, name, applied_at) values ($1, $2, now())', [
      module,
      file.name,
    ])
    await client.query('commit')
  } catch (error) {
    // The error closes the connection, which rolls the migration back.
    const reason = error instanceof Error ? error.message : String(error)
    throw operatorErrors.migration_failed({ migration: file.name, module, reason }, { cause: error })
  }
}

function createClientMigrator(client: pg.Client, roles: RoleNames): Migrator {
  return createMigrator(async <Row>(sql: string, values?: readonly unknown[]) => {
    // Without values, pg accepts several statements and returns an array of results.
    const answer = await client.query(sql, values as unknown[] | undefined)
    const last = Array.isArray(answer) ? answer.at(-1) : answer
    return { rows: last.rows, rowCount: last.rowCount ?? 0 } as Result<Row>
  }, roles)
}

function assertNoneMissing(
  { module }: MigrationSet,
  files: readonly MigrationFile[],
  applied: ReadonlySet<string>,
): void {
  const missing = [...applied].filter(name => !files.some(file => file.name === name))
  if (missing.length > 0) throw operatorErrors.migration_files_missing({ module, migrations: missing.join(', ') })
}

/** Applied migrations by module; empty for a database without Larder tables. */
export async function appliedMigrations(owner: OwnerConnection): Promise<Map<string, AppliedMigration[]>> {
  const applied = new Map<string, AppliedMigration[]>()
  await owner.run(async client => {
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
