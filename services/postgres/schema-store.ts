/** The port `migrations`: the schema, and the recipe that was last applied. */
import type {
  AppliedMigration,
  AppliedMigrations,
  Deps,
  MigrationSet,
  Migrations,
  PendingMigrations,
} from '@larder-dev/larder/kernel/internal'
import type { Connection } from './connection.ts'
import { compareMigrations, migrationFiles } from './migration-files.ts'
import { operatorErrors } from './operator-errors.ts'

async function pendingMigrations(
  sets: readonly MigrationSet[],
  applied: AppliedMigrations,
): Promise<PendingMigrations> {
  const pending = new Map<string, readonly string[]>()
  const missing = new Map<string, readonly AppliedMigration[]>()
  const beside = new Map<string, readonly AppliedMigration[]>()
  for (const set of sets) {
    const compared = compareMigrations(await migrationFiles(set), applied.get(set.module) ?? [])
    if (compared.pending.length > 0)
      pending.set(
        set.module,
        compared.pending.map(({ name }) => name),
      )
    if (compared.missing.length > 0) missing.set(set.module, compared.missing)
    if (compared.beside.length > 0) beside.set(set.module, compared.beside)
  }
  return { pending, missing, beside }
}

const APPLIED_REASON = 'the applied recipe belongs to no tenant'
const TABLES_REASON = 'rows of a removed module are counted in every tenant'
const WRITE_APPLIED = `insert into larder_applied_recipe (applied, applied_at) values ($1::jsonb, $2)
  on conflict (only_one) do update set applied = excluded.applied, applied_at = excluded.applied_at
  where larder_applied_recipe.applied is distinct from excluded.applied`
/** The order counts, also where clocks differ. A recipe that was applied last stays the newest one. */
const WRITE_DIGEST = `insert into larder_recipes (digest, applied_at)
  values ($1, greatest($2, (select max(applied_at) + interval '1 ms' from larder_recipes)))
  on conflict (digest) do update set applied_at = excluded.applied_at
  where larder_recipes.applied_at < (select max(applied_at) from larder_recipes)`
const READ_DIGEST = `select applied_at = (select max(applied_at) from larder_recipes) as current
  from larder_recipes where digest = $1`
/** An author's recipe changes with each save. */
const FORGET_DIGESTS = `delete from larder_recipes where digest not in
  (select digest from larder_recipes order by applied_at desc limit 1000)`
const UNDEFINED_TABLE = '42P01'
const READ_ONLY_TRANSACTION = '25006'
const OWN: MigrationSet = { module: 'postgres', folder: new URL('./migrations/', import.meta.url) }

export function createSchemaStore({ connection, process }: Deps<'process'> & { connection: Connection }): Migrations {
  return {
    run: sets => connection.db.migrate(sets),
    applied: () => connection.db.appliedMigrations(),
    pending: pendingMigrations,
    exclusively: (name, work) => connection.db.withLock(name, work),
    async open() {
      // A tool does not migrate: another version of Larder may be using the tables.
      if (process.role === 'tool') await connection.db.checkSecret()
      if (process.role === 'tool' && !process.readOnly) await assertMigrated(connection)
      await connection.loadOperator()
    },
    async tables(module, limit) {
      const unit = connection.db.systemDatabase.acrossTenants(TABLES_REASON)
      const { rows: tables } = await unit.query<{ name: string; quoted: string }>(
        `select tablename as name, quote_ident(tablename) as quoted from pg_tables
          where schemaname = current_schema() and starts_with(tablename, $1)
            and has_table_privilege(current_user, quote_ident(tablename), 'select') order by tablename`,
        [`${module}_`],
      )
      const counted = []
      for (const { name, quoted } of tables) {
        const { rows } = await unit.query<{ count: number }>(
          `select count(*)::int as count from (select 1 from ${quoted} limit ${limit + 1}) as part`,
        )
        counted.push({ name, rows: rows[0]?.count ?? 0 })
      }
      return counted
    },
    async readApplied() {
      try {
        const { rows } = await connection.db.systemDatabase
          .acrossTenants(APPLIED_REASON)
          .query<{ applied: unknown }>('select applied from larder_applied_recipe')
        return rows[0]?.applied
      } catch (error) {
        if ((error as { code?: string }).code === UNDEFINED_TABLE) return undefined
        throw error
      }
    },
    /** Writes nothing if nothing changed, because it runs at each start. */
    async writeApplied(applied, digest, now) {
      await connection.db.systemDatabase
        .acrossTenants(APPLIED_REASON)
        .all([
          [WRITE_APPLIED, [JSON.stringify(applied), new Date(now)]],
          [WRITE_DIGEST, [digest, new Date(now)]],
          [FORGET_DIGESTS],
        ])
    },
    async recipeState(digest) {
      const { rows } = await connection.db.systemDatabase
        .acrossTenants(APPLIED_REASON)
        .query<{ current: boolean }>(READ_DIGEST, [digest])
      if (!rows[0]) return 'new'
      return rows[0].current ? 'current' : 'earlier'
    },
    exists: () => connection.exists(),
    refusedWrite(error) {
      const { code, cause } = error as { code?: string; cause?: { code?: string } }
      return code === READ_ONLY_TRANSACTION || cause?.code === READ_ONLY_TRANSACTION
    },
    get place() {
      return connection.place
    },
  }
}

async function assertMigrated({ db }: Connection): Promise<void> {
  const { pending } = await pendingMigrations([OWN], await db.appliedMigrations())
  const missing = pending.get(OWN.module) ?? []
  if (missing.length > 0) throw operatorErrors.database_out_of_date({ migrations: missing.join(', ') })
}
