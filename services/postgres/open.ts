/** Everything that the kernel does with PostgreSQL, behind one object. */
import type { Database, Models } from 'larder/kernel'
import type { Logger } from 'pino'
import { createAppAccess } from './app-access.ts'
import { unavailable } from './errors.ts'
import { createListening, type Listening } from './listen.ts'
import { type AppliedMigration, appliedMigrations, migrate } from './migrate.ts'
import type { MigrationSet } from './migration-files.ts'
import { createModels } from './models.ts'
import { withOwner } from './owner.ts'
import { pack, send } from './pipelined-batch.ts'
import { createPool, type LeasePool } from './pool.ts'
import { createUnits, type SystemTransaction } from './unit.ts'

export type { MigrationSet } from './migration-files.ts'
export type { SystemTransaction } from './unit.ts'

export interface OpenOptions {
  /** Owner of the schema: migrates. */
  readonly ownerUrl: string
  /** Whole address of the app role, where its password is not derived from `secrets`. */
  readonly appUrl?: string
  /** The server itself, as the owner, where `ownerUrl` is a pooler in transaction mode. */
  readonly directUrl?: string
  /** Newest first. */
  readonly secrets: readonly string[]
  readonly log: Logger
  /** Connections of this process at most, beside one that listens; 16 by default. */
  readonly max?: number
  readonly applicationName?: string
  /** Every transaction is read-only, but behind a pooler. */
  readonly readOnly?: boolean
  /** Milliseconds to wait for a free connection before it is a 503; 5 s by default. */
  readonly checkoutTimeout?: number
}

export interface OpenDatabase {
  readonly database: Database
  readonly models: Models
  /** One transaction across tenants, with savepoints. Not inside another unit. */
  systemTransaction<T>(why: string, work: (unit: SystemTransaction) => Promise<T>): Promise<T>
  /** Makes the roles and brings every set up to date; safe from several processes at once. */
  migrate(sets: readonly MigrationSet[]): Promise<void>
  /** What was applied, by module. */
  applied(): Promise<Map<string, AppliedMigration[]>>
  /** Holds the lock of this name, across processes, while `work` runs. */
  locked<T>(name: string, work: () => Promise<T>): Promise<T>
  listen: Listening['listen']
  /** Reaches every listener at once, also of this process. At most 8000 bytes. Never part of a unit. */
  notify(channel: string, payload: string): Promise<void>
  /** The tenant that owns this installation. After migrations. */
  operatorTenantId(): Promise<string>
  /** @throws Problem `unavailable` when the database does not answer. */
  ready(): Promise<void>
  /** As the app role. */
  readonly appUrl: string
  /** As the app role, past any pooler. */
  readonly directUrl: string
  close(): Promise<void>
}

/** Connects once as the owner, to say at once when that cannot be. */
export async function openDatabase(options: OpenOptions): Promise<OpenDatabase> {
  await withOwner(options.directUrl ?? options.ownerUrl, options.log, client => client.query('select 1'))
  return prepareDatabase(options)
}

/** Connects when something is first asked of it. */
export function prepareDatabase(options: OpenOptions): OpenDatabase {
  const {
    ownerUrl,
    directUrl = ownerUrl,
    log,
    max = 16,
    applicationName = 'larder',
    checkoutTimeout,
    readOnly,
  } = options
  const access = createAppAccess(options)
  const pooled = directUrl !== ownerUrl
  const pool = createPool({ access, log, max, applicationName, checkoutTimeout, pooled, readOnly })
  const units = createUnits(pool, log)
  const listening = createListening(() => access.url(true), log)
  return {
    database: units.database,
    models: createModels(units),
    systemTransaction: units.systemTransaction,
    migrate: sets => migrate(directUrl, access, sets, log),
    applied: () => appliedMigrations(directUrl, log),
    locked: (name, work) =>
      withOwner(directUrl, log, async client => {
        await client.query('select pg_advisory_lock(hashtextextended($1, 0))', [`larder lock ${name}`])
        return work()
      }),
    listen: listening.listen,
    notify: (channel, payload) => bare(pool, 'select pg_notify($1, $2)', [channel, payload]),
    async operatorTenantId() {
      const sql = 'select operator_tenant_id as id from larder_installation'
      const { rows } = await units.database.system("the operator's tenant, at start").query<{ id: string }>(sql)
      if (!rows[0]) throw new Error('this database was never migrated')
      return rows[0].id
    },
    ready: () => bare(pool, 'select 1', []),
    get appUrl() {
      return access.url()
    },
    get directUrl() {
      return access.url(true)
    },
    async close() {
      await listening.close()
      await pool.end()
    },
  }
}

/** One statement as the login role, in no unit: it sees no table. */
async function bare(pool: LeasePool, text: string, values: readonly unknown[]): Promise<void> {
  const cargo = [pack([text, values])]
  const client = await pool.lease()
  try {
    await send(client, cargo).landed
  } catch (error) {
    throw unavailable(error)
  } finally {
    pool.release(client)
  }
}
