/** Opens the database: units of work, models, migrations, notifications and locks. */
import { setTimeout as pause } from 'node:timers/promises'
import type { Step, SystemDatabase } from '@larder-dev/larder/kernel'
import type { AppliedMigration } from '@larder-dev/larder/kernel/internal'
import type pg from 'pg'
import type { Logger } from 'pino'
import { createAppAccess } from './app-access.ts'
import {
  assertRestorable,
  type CopyRows,
  type Dump,
  type DumpHead,
  dumpDatabase,
  type RestoreOptions,
  recordBackup,
  restoreDatabase,
} from './backup/backup.ts'
import { coalesceNotify } from './coalesce.ts'
import { MAX_CONNECTIONS } from './connection-places.ts'
import { startTemporaryServer } from './embedded/temporary.ts'
import { unavailable } from './errors.ts'
import { createNotificationListener } from './listen.ts'
import { appliedMigrations, migrate } from './migrate.ts'
import type { MigrationSet } from './migration-files.ts'
import { type MigrationPlan, planMigrations } from './migration-plan.ts'
import { createModels } from './models.ts'
import { assertNotifications } from './notification-check.ts'
import { operatorErrors } from './operator-errors.ts'
import { createOwnerConnection, describeServer, type OwnerConnection } from './owner.ts'
import { type ConnectionCounts, type ConnectionPool, createPool } from './pool.ts'
import type { Models, Postgres } from './ports.ts'
import { currentRoles } from './role-catalog.ts'
import type { RoleNames } from './role-names.ts'
import { assertSecretKnown, isSecretKnown, replaceSecrets } from './secret.ts'
import { encodeStatement } from './statements.ts'
import { createUnits } from './unit.ts'
import { waitForServer } from './wait.ts'
import { createWorkerLoop } from './worker-loop.ts'
import { assertWritable } from './writable.ts'

export type { MigrationSet } from './migration-files.ts'

export interface OpenOptions {
  /** The owner of the schema, used for migrations. */
  readonly ownerUrl: string
  /** URL of the app role, if its password is not derived from `secrets`. */
  readonly appUrl?: string
  /** URL of the server itself, as the owner, if `ownerUrl` is a pooler in transaction mode. */
  readonly directUrl?: string
  /** Newest first. */
  readonly secrets: readonly string[]
  readonly log: Logger
  /** Connections of this process, excluding the one that listens; 16 by default. */
  readonly maxConnections?: number
  readonly applicationName?: string
  /** The version of Larder, which is recorded with the migrations that it applies. */
  readonly release?: string
  /** How long to wait for a server that is unreachable or starting; 0 by default. */
  readonly waitMs?: number
  /** Ends the wait. */
  readonly signal?: AbortSignal
  /** Makes every transaction read-only, except behind a pooler. */
  readonly readOnly?: boolean
  /** How long to wait for a free connection before a 503; 5 s by default. */
  readonly checkoutTimeoutMs?: number
  /** Connections that one tenant holds at a time; a third of all by default. */
  readonly tenantConnections?: number
  /** Scans of one tenant that run at a time; 1 by default. */
  readonly tenantScans?: number
  /** Units of work of one tenant that wait for one of its connections; 1,000 by default. */
  readonly maxWaitingPerTenant?: number
  /** How long they wait before a 503; 15 s by default. */
  readonly tenantWaitMs?: number
  /** How long the server may run a read outside a transaction; 4 s by default, 30 min if the pool is read-only. */
  readonly readTimeoutMs?: number
  /** How long the server may run any other statement; 14 s by default, 30 min if the pool is read-only. */
  readonly writeTimeoutMs?: number
  /** Milliseconds between the two calls of the listeners of `onUnconfirmedCommit`; 30 s by default. */
  readonly lateCommitMs?: number
}

export interface InstalledRoles {
  readonly roles: RoleNames
  /** Roles whose processes may still be running. */
  readonly formerRoles: readonly RoleNames[]
}

export interface OpenDatabase extends Postgres {
  readonly systemDatabase: SystemDatabase
  readonly models: Models
  /** @throws OperatorError `notifications_lost` if the direct connection leads to a pooler that loses notifications. */
  checkNotifications(): Promise<void>
  /** Creates the roles and applies pending migrations. Safe to run in several processes at once. */
  migrate(sets: readonly MigrationSet[]): Promise<void>
  /** See `planMigrations`. */
  planMigrations(sets: readonly MigrationSet[], onStep: (step: string) => void): Promise<MigrationPlan>
  /** @throws OperatorError `secret_mismatch` if the database was last started with other secrets. */
  checkSecret(): Promise<void>
  /** Whether the database was last started with one of the secrets, or never. */
  isSecretKnown(): Promise<boolean>
  /** Replaces a lost secret with the current one. Returns false if the database already has the current one. */
  replaceSecret(): Promise<boolean>
  /** See `dumpDatabase`. */
  dump<T>(work: (dump: Dump) => Promise<T>, onWait: () => void): Promise<T>
  /** Records the time of the last backup. */
  recordBackup(at: string): Promise<void>
  /** See `restoreDatabase`. */
  assertRestorable(head: DumpHead): Promise<void>
  restore(head: DumpHead, write: (copy: CopyRows) => Promise<void>, options: RestoreOptions): Promise<void>
  /** Applied migrations by module. */
  appliedMigrations(): Promise<Map<string, AppliedMigration[]>>
  /** Runs `work` on a connection of its own, as the owner of the schema. */
  withOwner<T>(work: (client: pg.Client) => Promise<T>): Promise<T>
  /** Holds the advisory lock of this name while `work` runs; exclusive across processes. */
  withLock<T>(name: string, work: () => Promise<T>): Promise<T>
  /** The tenant that owns this installation. Requires the migrations. */
  operatorTenantId(): Promise<string>
  /** @throws Problem `database_unavailable` if the database does not respond, or rejects writes. */
  ready(): Promise<void>
  connectionCounts(): ConnectionCounts
  /** The current names; they change when `migrate` moves the database to roles of its own. */
  readonly roles: InstalledRoles
  /** As the app role. */
  readonly appUrl: string
  close(): Promise<void>
}

/** Connects once as the owner, to report connection errors and a server that is read-only immediately. */
export async function openDatabase(options: OpenOptions): Promise<OpenDatabase> {
  const owner = ownerConnection(options)
  await waitForServer(owner, options)
  const access = createAppAccess(options)
  access.useRoles(await owner.run(client => currentRoles((sql, values) => client.query(sql, values))))
  return prepareDatabase(options, owner, access)
}

const ownerConnection = ({ ownerUrl, directUrl = ownerUrl, log, readOnly }: OpenOptions): OwnerConnection =>
  createOwnerConnection({ url: directUrl, log, readOnly })

/** Doesn't wait for the disk. A crash of the server loses pending notifications in any case. */
const NOTIFY = `select pg_notify($1, $2), set_config('synchronous_commit', 'off', true)`

/** Connects on first use. */
export function prepareDatabase(
  options: OpenOptions,
  owner = ownerConnection(options),
  access = createAppAccess(options),
): OpenDatabase {
  const {
    ownerUrl,
    directUrl = ownerUrl,
    secrets,
    log,
    maxConnections = MAX_CONNECTIONS,
    applicationName = 'larder',
    release = null,
  } = options
  const pooled = directUrl !== ownerUrl
  const pool = createPool({ ...options, access, log, maxConnections, applicationName, pooled })
  const units = createUnits(pool, log)
  const listening = createNotificationListener(() => access.url(true), log)
  const notify = (channel: string, ...payloads: readonly string[]) =>
    executeAsLogin(
      pool,
      payloads.map(payload => [NOTIFY, [channel, payload]]),
    )
  return {
    database: units.database,
    systemDatabase: units.systemDatabase,
    models: createModels(units),
    systemTransaction: units.systemTransaction,
    checkNotifications: () => assertNotifications(owner, describeServer(directUrl)),
    migrate: sets => migrate({ owner, access, pooled, secrets, sets, release, log }),
    planMigrations: (sets, onStep) =>
      planMigrations({ owner, url: directUrl, sets, release, onStep, startServer: () => startTemporaryServer(log) }),
    checkSecret: () => owner.run(client => assertSecretKnown(client, secrets)),
    isSecretKnown: () => owner.run(client => isSecretKnown(client, secrets)),
    replaceSecret: () => owner.run(client => replaceSecrets(client, secrets)),
    dump: (work, onWait) => dumpDatabase({ owner, access }, work, onWait),
    recordBackup: at => recordBackup(owner, at),
    assertRestorable: head => assertRestorable({ owner, url: directUrl }, head),
    restore: (head, write, how) => restoreDatabase({ owner, access, secrets, url: directUrl, log }, head, write, how),
    appliedMigrations: () => appliedMigrations(owner),
    withLock: (name, work) =>
      owner.run(async client => {
        await takeLock(client, `larder lock ${name}`)
        return work()
      }),
    withOwner: owner.run,
    listen: listening.listen,
    notify,
    createNotifier: (channel, onError) => coalesceNotify(() => notify(channel, ''), onError),
    createWorkerLoop,
    async operatorTenantId() {
      const sql = 'select operator_tenant_id as id from larder_installation'
      const unit = units.systemDatabase.acrossTenants("the operator's tenant is read at the start")
      const { rows } = await unit.query<{ id: string }>(sql)
      if (!rows[0]) throw operatorErrors.database_not_migrated()
      return rows[0].id
    },
    connectionCounts: pool.counts,
    ready: pool.ready,
    attribute: pool.attribute,
    onUnconfirmedCommit: pool.onUnconfirmedCommit,
    assertWritable,
    roles: access,
    get systemRole() {
      return access.roles.system
    },
    get appUrl() {
      return access.url()
    },
    get directUrl() {
      return access.url(true)
    },
    async close() {
      await listening.close()
      await Promise.all([pool.end(), owner.close()])
    },
  }
}

const LOCK_POLL_MS = 50

/**
 * Polls, because a statement that waits for the lock holds a snapshot: `create index concurrently` of the process that has
 * the lock would wait for it forever.
 */
async function takeLock(client: pg.Client, name: string): Promise<void> {
  for (;;) {
    const { rows } = await client.query('select pg_try_advisory_lock(hashtextextended($1, 0)) as taken', [name])
    if (rows[0]?.taken) return
    await pause(LOCK_POLL_MS)
  }
}

/** Runs statements in one transaction as the login role, outside any unit. Row level security hides all rows from it. */
async function executeAsLogin(pool: ConnectionPool, steps: readonly Step[]): Promise<void> {
  const connection = await pool.connect(null)
  const timeoutMs = pool.responseTimeoutMs(pool.readTimeoutMs, steps.length)
  const { error } = await connection.run(steps.map(encodeStatement), timeoutMs)
  connection.release()
  if (error) throw unavailable(error)
}
