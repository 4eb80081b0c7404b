/** Runs the migrations of every module in order, each in its own transaction, in one process at a time. */
import type { AppliedMigration, Migrator, Result } from '@larder-dev/larder/kernel/internal'
import type pg from 'pg'
import type { Logger } from 'pino'
import type { AppAccess } from './app-access.ts'
import { withoutBackup } from './backup/lock.ts'
import { isRetryableConflict } from './errors.ts'
import { createMigrator } from './migration.ts'
import {
  compareMigrations,
  loadMigration,
  type MigrationFile,
  type MigrationSet,
  migrationFiles,
} from './migration-files.ts'
import { operatorErrors } from './operator-errors.ts'
import type { OwnerConnection } from './owner.ts'
import type { Query } from './role-catalog.ts'
import type { RoleNames } from './role-names.ts'
import { checkAppRole, checkPoolerLogin, ensureRoles, settleFormerRoles } from './roles.ts'
import { assertSecretKnown, recordSecrets } from './secret.ts'

export interface MigrateOptions {
  readonly owner: OwnerConnection
  readonly access: AppAccess
  /** Whether requests go through a pooler. */
  readonly pooled: boolean
  readonly secrets: readonly string[]
  readonly sets: readonly MigrationSet[]
  /** The version of Larder that migrates. */
  readonly release: string | null
  readonly log: Logger
}

const LOCK_NAME = 'larder migrate'
const MAX_NAMED_MIGRATIONS = 10
/** Requests of running processes lock the same tables, in other orders. */
const MAX_DEADLOCKS = 10

/**
 * Creates the roles and brings the schema up to date. If several processes start at once, one migrates and the others
 * wait for it.
 * @throws OperatorError if the secret is not that of the database, if a migration fails, or if the file of an applied
 * migration is missing, unless a later release has applied it and it only adds.
 */
export async function migrate(options: MigrateOptions): Promise<void> {
  const { owner, access, pooled, secrets, sets, log } = options
  const login = await owner.run(async client => {
    await client.query('select pg_advisory_lock(hashtextextended($1, 0))', [LOCK_NAME])
    await assertSecretKnown(client, secrets)
    const query: Query = (sql, values) => client.query(sql, values)
    const login = await ensureRoles(query, access, log)
    try {
      await createRecords(client, log)
      const applied: string[] = []
      for (const set of sets) applied.push(...(await migrateModule(client, set, options)))
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

const CREATE_RECORDS = `create table if not exists larder_migrations
  (module text not null, name text not null, applied_at timestamptz not null,
   expands boolean not null default false, release text, primary key (module, name))`
/** Earlier versions recorded neither the release nor whether it only adds. */
const ADD_MARKS = `alter table larder_migrations add column if not exists expands boolean not null default false,
  add column if not exists release text`

/** What the records of migrations need before the first one. */
export const RECORDS: readonly string[] = [CREATE_RECORDS, ADD_MARKS]

async function createRecords(client: pg.Client, log: Logger): Promise<void> {
  await client.query(CREATE_RECORDS)
  if (await hasMarks(client)) return
  await withoutBackup(client, waitingFor(log), () => client.query(ADD_MARKS))
}

/** False for the records of earlier versions, and without any. */
export async function hasMarks(client: pg.Client): Promise<boolean> {
  const { rows } = await client.query(
    `select from pg_attribute where attrelid = to_regclass('larder_migrations') and attname = 'expands' and not attisdropped`,
  )
  return rows.length > 0
}

const waitingFor = (log: Logger) => () => log.warn('a backup runs; the migrations wait until it ends')

/** Returns the migrations that it applied, as `module/name`. */
async function migrateModule(client: pg.Client, set: MigrationSet, options: MigrateOptions): Promise<string[]> {
  const { log, release } = options
  const recorded = (await readApplied(client)).get(set.module) ?? []
  const { pending, beside, missing } = compareMigrations(await migrationFiles(set), recorded)
  if (missing.length > 0) throw unknownMigrations(set.module, missing, release)
  if (beside.length > 0)
    log.info(
      { module: set.module, migrations: beside.map(({ name }) => name) },
      'works beside migrations of a later release',
    )
  for (const file of pending) {
    await withoutBackup(client, waitingFor(log), () => apply(client, set.module, file, options))
    log.debug({ module: set.module, migration: file.name }, 'migrated')
  }
  return pending.map(({ name }) => `${set.module}/${name}`)
}

/** Repeats a migration that the server rolled back because of a deadlock with a request. */
async function apply(client: pg.Client, module: string, file: MigrationFile, options: MigrateOptions): Promise<void> {
  const { up, expands } = await loadMigration(file)
  for (let deadlocks = 0; ; )
    try {
      await client.query('begin')
      await up(createClientMigrator((sql, values) => client.query(sql, values), options.access.roles))
      await client.query(
        'insert into larder_migrations (module, name, applied_at, expands, release) values ($1, $2, now(), $3, $4)',
        [module, file.name, expands, options.release],
      )
      await client.query('commit')
      return
    } catch (error) {
      if (!isRetryableConflict(error) || ++deadlocks > MAX_DEADLOCKS) throw migrationFailed(module, file, error)
      options.log.warn({ module, migration: file.name, err: error }, 'a migration is repeated after a deadlock')
      await client.query('rollback')
    }
}

/** The error closes the connection, which rolls the migration back. */
function migrationFailed(module: string, { name }: MigrationFile, error: unknown): Error {
  const reason = error instanceof Error ? error.message : String(error)
  return operatorErrors.migration_failed({ migration: name, module, reason }, { cause: error })
}

export const unknownMigrations = (module: string, missing: readonly AppliedMigration[], release: string | null) =>
  operatorErrors.migrations_unknown({
    module,
    own: release ?? 'this release',
    migrations: missing.map(describeApplied).join(', '),
  })

function describeApplied({ name, appliedAt, release }: AppliedMigration): string {
  const by = release === null ? 'applied' : `applied by Larder ${release}`
  return `${name} (${by} on ${appliedAt?.toISOString().slice(0, 10)})`
}

export type Send = (sql: string, values?: unknown[]) => Promise<pg.QueryResult>

export function createClientMigrator(send: Send, roles: RoleNames): Migrator {
  return createMigrator(async <Row>(sql: string, values?: readonly unknown[]) => {
    // Without values, pg accepts several statements and returns an array of results.
    const answer = await send(sql, values as unknown[] | undefined)
    const last = Array.isArray(answer) ? answer.at(-1) : answer
    return { rows: last.rows, rowCount: last.rowCount ?? 0 } as Result<Row>
  }, roles)
}

/** Applied migrations by module; empty for a database without Larder tables. */
export const appliedMigrations = (owner: OwnerConnection): Promise<Map<string, AppliedMigration[]>> =>
  owner.run(async client => ((await hasRecords(client)) ? readApplied(client) : new Map()))

export const hasRecords = async (client: pg.Client): Promise<boolean> =>
  (await client.query("select to_regclass('larder_migrations') is not null as found")).rows[0].found

interface AppliedRow {
  readonly module: string
  readonly name: string
  readonly applied_at: Date
  readonly expands: boolean
  readonly release: string | null
}

/** Reads databases of earlier versions, too, which have no marks. */
export async function readApplied(client: pg.Client): Promise<Map<string, AppliedMigration[]>> {
  const marks = (await hasMarks(client)) ? 'expands, release' : 'false as expands, null as release'
  const { rows } = await client.query<AppliedRow>(
    `select module, name, applied_at, ${marks} from larder_migrations order by module, name`,
  )
  const applied = new Map<string, AppliedMigration[]>()
  for (const { module, name, applied_at, expands, release } of rows)
    applied.set(module, [...(applied.get(module) ?? []), { name, appliedAt: applied_at, expands, release }])
  return applied
}
