/**
 * What pending migrations would do, without doing it: they run on a copy of the schema, without rows, on a server of their
 * own. The database itself is only read, in a transaction that may not write.
 */
import type pg from 'pg'
import { contentsOf, readSchema, type Schema } from './backup/catalog.ts'
import {
  createClientMigrator,
  hasMarks,
  hasRecords,
  RECORDS,
  readApplied,
  type Send,
  unknownMigrations,
} from './migrate.ts'
import { createCopy, type SchemaCopy } from './migration-copy.ts'
import { type Effect, measure, startTransaction } from './migration-effects.ts'
import {
  compareMigrations,
  loadMigration,
  type MigrationFile,
  type MigrationSet,
  migrationFiles,
} from './migration-files.ts'
import { operatorErrors } from './operator-errors.ts'
import { describeServer, type OwnerConnection } from './owner.ts'
import { currentRoles, namedRoles } from './role-catalog.ts'
import { isShared, SHARED_ROLES } from './role-names.ts'

export interface PlannedStatement {
  /** One statement, or several in one string. Names the roles `larder_app` and `larder_system`, as migrations do. */
  readonly sql: string
  readonly values: readonly unknown[]
  /** What it does to tables that the database has. */
  readonly tables: readonly Effect[]
}
/** What all statements of a migration do to a table that the database has. */
export interface PlannedTable extends Effect {
  /** An estimate of the server; null if the table was never analyzed. */
  readonly rows: number | null
  /** With indexes and large values. */
  readonly bytes: number
  /** How long reading and writing it takes at the rates of `RATES`; 0 if only its description changes. */
  readonly seconds: number
}
export interface PlannedMigration {
  /** `module/name` */
  readonly id: string
  readonly module: string
  readonly name: string
  /** Whether the release before starts beside it. */
  readonly expands: boolean
  readonly statements: readonly PlannedStatement[]
  readonly tables: readonly PlannedTable[]
  readonly seconds: number
}
export interface MigrationPlan {
  /** Whether the database has no tables of Larder yet, so that nothing waits for a lock. */
  readonly isNew: boolean
  /** In the order in which they run. */
  readonly migrations: readonly PlannedMigration[]
  /** Applied by a later release, beside which this one works, as `module/name`. */
  readonly beside: readonly string[]
  /** Whether the database gets roles of its own, in place of those that 0.1.0 shared among databases. */
  readonly movesRoles: boolean
  readonly postgres: {
    /** The version of the database's server. */
    readonly database: string
    /** The version of the server on which the locks were measured; null if nothing is pending. */
    readonly measured: string | null
  }
}

/** Bytes per second, of a plain disk. See docs/operations.md, What an update does. */
const RATES = { read: 200e6, write: 50e6 }

interface Sized {
  readonly rows: number | null
  /** The bytes of its rows, without indexes. */
  readonly table: number
  /** The bytes with indexes. */
  readonly total: number
}
interface Found {
  readonly pending: readonly { readonly module: string; readonly file: MigrationFile }[]
  readonly beside: readonly string[]
  readonly needsRecords: boolean
  readonly movesRoles: boolean
  readonly isNew: boolean
  readonly version: string
  readonly schema: Schema
  readonly sizes: ReadonlyMap<string, Sized>
}
export interface PlanMigrationsOptions {
  readonly owner: OwnerConnection
  readonly url: string
  readonly sets: readonly MigrationSet[]
  readonly release: string | null
  /** Starts a server for the copy. */
  readonly startServer: () => Promise<{ readonly url: string; stop(): Promise<void> }>
  readonly onStep: (step: string) => void
}

/**
 * @throws OperatorError `database_foreign` for a database with tables of something else, `migrations_unknown` for one of a
 * later release, `plan_copy_failed` and `migration_failed_on_copy`.
 */
export async function planMigrations(options: PlanMigrationsOptions): Promise<MigrationPlan> {
  const { owner, startServer, onStep } = options
  const found = await owner.run(client => inReadOnlyTransaction(client, () => read(client, options)))
  const { isNew, beside, movesRoles, version, pending, needsRecords } = found
  const known = { isNew, beside, movesRoles }
  if (pending.length === 0 && !needsRecords)
    return { ...known, migrations: [], postgres: { database: version, measured: null } }
  onStep('starting a server for a copy of the schema')
  const copy = await createCopy(found.schema, startServer)
  try {
    const migrations: PlannedMigration[] = []
    if (needsRecords) migrations.push(await tryRecords(copy, found))
    for (const { module, file } of pending) {
      onStep(`trying ${module}/${file.name}`)
      migrations.push(await tryMigration(copy, found, module, file))
    }
    return { ...known, migrations, postgres: { database: version, measured: copy.version } }
  } finally {
    await copy.drop()
  }
}

async function inReadOnlyTransaction<T>(client: pg.Client, work: () => Promise<T>): Promise<T> {
  await client.query('begin isolation level repeatable read, read only')
  const result = await work()
  await client.query('commit')
  return result
}

async function read(client: pg.Client, { url, sets, release }: PlanMigrationsOptions): Promise<Found> {
  const applied = (await hasRecords(client)) ? await readApplied(client) : new Map<string, never[]>()
  const isNew = applied.size === 0
  if (isNew) await assertEmpty(client, url)
  const pending: Found['pending'][number][] = []
  const beside: string[] = []
  for (const set of sets) {
    const compared = compareMigrations(await migrationFiles(set), applied.get(set.module) ?? [])
    if (compared.missing.length > 0) throw unknownMigrations(set.module, compared.missing, release)
    pending.push(...compared.pending.map(file => ({ module: set.module, file })))
    beside.push(...compared.beside.map(({ name }) => `${set.module}/${name}`))
  }
  const query = (sql: string, values?: unknown[]) => client.query(sql, values)
  const named = (await namedRoles(query)).at(-1)
  // Names are then written without their schema.
  await client.query(`select set_config('search_path', quote_ident(current_schema()), true)`)
  return {
    pending,
    beside,
    isNew,
    needsRecords: !(await hasMarks(client)),
    movesRoles: named !== undefined && isShared(named),
    version: (await client.query(`select current_setting('server_version') as version`)).rows[0].version,
    schema: await readSchema(client, await currentRoles(query)),
    sizes: await readSizes(client),
  }
}

/** A first migration that failed leaves the table of the records. */
async function assertEmpty(client: pg.Client, url: string): Promise<void> {
  const contents = (await contentsOf(client)).filter(what => what !== 'relation larder_migrations')
  if (contents.length > 0)
    throw operatorErrors.database_foreign({ place: describeServer(url), contents: contents.join(', ') })
}

async function readSizes(client: pg.Client): Promise<Map<string, Sized>> {
  const { rows } = await client.query<{ name: string; rows: number; table: string; total: string }>(
    `select c.oid::regclass::text as name, c.reltuples as rows, pg_table_size(c.oid) as table,
       pg_total_relation_size(c.oid) as total
     from pg_class c where c.relnamespace = current_schema()::regnamespace and c.relkind in ('r', 'm')`,
  )
  return new Map(
    rows.map(({ name, rows, table, total }) => [
      name,
      { rows: rows < 0 ? null : rows, table: Number(table), total: Number(total) },
    ]),
  )
}

/** What `migrate` itself creates for its records. */
const tryRecords = (copy: SchemaCopy, found: Found): Promise<PlannedMigration> =>
  attempt(copy, found, { module: 'postgres', name: 'larder_migrations', expands: true }, async query => {
    for (const statement of RECORDS) await query(statement)
  })

async function tryMigration(
  copy: SchemaCopy,
  found: Found,
  module: string,
  file: MigrationFile,
): Promise<PlannedMigration> {
  const { up, expands } = await loadMigration(file)
  return attempt(copy, found, { module, name: file.name, expands }, query =>
    up(createClientMigrator(query, SHARED_ROLES)),
  )
}

async function attempt(
  { client }: SchemaCopy,
  { sizes }: Found,
  migration: Pick<PlannedMigration, 'module' | 'name' | 'expands'>,
  run: (send: Send) => Promise<void>,
): Promise<PlannedMigration> {
  const statements: PlannedStatement[] = []
  const transaction = await startTransaction(client, [...sizes.keys()])
  try {
    await run(async (sql, values = []) => {
      const { result, effects } = await measure(client, transaction, sql, values)
      statements.push({ sql, values, tables: effects })
      return result
    })
    await client.query('commit')
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    const { module, name } = migration
    throw operatorErrors.migration_failed_on_copy({ migration: name, module, reason }, { cause: error })
  }
  const tables = [...transaction.total.values()].map(effect => withSize(effect, sizes.get(effect.table)))
  return {
    id: `${migration.module}/${migration.name}`,
    ...migration,
    statements,
    tables,
    seconds: tables.reduce((sum, { seconds }) => sum + seconds, 0),
  }
}

function withSize(effect: Effect, size: Sized = { rows: null, table: 0, total: 0 }): PlannedTable {
  const { rewritten, scanned, indexes } = effect
  const written = rewritten ? size.total : 0
  // An index is smaller than its table; nothing says by how much before it exists.
  const built = rewritten ? 0 : size.table * indexes.length
  const seconds = (scanned || rewritten ? size.table / RATES.read : 0) + (written + built) / RATES.write
  return { ...effect, rows: size.rows, bytes: size.total, seconds }
}
