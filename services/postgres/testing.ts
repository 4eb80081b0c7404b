/** Creates a database per test file: a copy of a migrated template, on a server that all test processes share. */
import { createHash, randomBytes } from 'node:crypto'
import { existsSync, type StatsFs } from 'node:fs'
import { readFile, rm, statfs } from 'node:fs/promises'
import { tmpdir, userInfo } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { GIB } from '@larder-dev/larder/kernel'
import pg from 'pg'
import { type Logger, pino } from 'pino'
import { type Embedded, startEmbedded } from './embedded/embedded.ts'
import { isAlive } from './embedded/processes.ts'
import { pidFile } from './embedded/server.ts'
import { migrationDigest } from './migration-files.ts'
import { type MigrationSet, openDatabase } from './open.ts'

/**
 * The server of a whole run, as its superuser: scripts/test.mjs starts one before the first test process, unless the
 * variable names one of another version.
 */
const RUN_SERVER = process.env.LARDER_TEST_SERVER

export interface TestDatabase {
  readonly ownerUrl: string
  drop(): Promise<void>
}

/** The app role of this server needs no password, so each test may use a different secret. */
const SECRET = 'the secret under which test databases are migrated'
const MAX_CONNECTIONS = 400
const MAX_TEMPLATES = 40

/** A file system in memory. A run needs about 0.7 GB of it. */
const MEMORY_DIR = '/dev/shm'
const MIN_FREE_MEMORY = 2 * GIB

/** One per checkout, so that the tests of two checkouts do not stop each other's server. */
const testDataDir = (parent = tmpdir()): string => {
  const checkout = createHash('sha256')
    .update(fileURLToPath(new URL('../..', import.meta.url)))
    .digest('hex')
  return join(parent, `larder-test-${userInfo().username}-${checkout.slice(0, 12)}`)
}

type TestServer = Omit<Embedded, 'home'>

/** Starts or joins the server of test databases. The last process to stop it shuts it down. */
export function startTestServer(log: Logger = pino({ level: 'silent' })): Promise<TestServer> {
  if (RUN_SERVER) return Promise.resolve({ url: RUN_SERVER, stop: async () => {} })
  return startEmbedded({ dataDir: testDataDir(), log, durable: false, maxConnections: MAX_CONNECTIONS })
}

/**
 * Starts the server of a whole run, with its data in memory if there is room: a database consists of a thousand files,
 * and creating them on disk takes ten times the CPU time. The data is deleted when the server stops.
 */
export async function startRunServer(log: Logger = pino({ level: 'silent' })): Promise<TestServer> {
  if (RUN_SERVER || !(await hasMemoryDir())) return startTestServer(log)
  const dataDir = testDataDir(MEMORY_DIR)
  const { url, home, stop } = await startEmbedded({ dataDir, log, durable: false, maxConnections: MAX_CONNECTIONS })
  return {
    url,
    async stop() {
      await stop()
      // Another run of this checkout may use the server.
      if (!existsSync(pidFile(home))) await rm(dataDir, { recursive: true, force: true })
    },
  }
}

async function hasMemoryDir(): Promise<boolean> {
  const { bavail = 0, bsize = 0 } = await statfs(MEMORY_DIR).catch(() => ({}) as Partial<StatsFs>)
  return bavail * bsize >= MIN_FREE_MEMORY
}

/** Copies a migrated template. Templates are kept by the digest of their migrations. */
export async function createTestDatabase(options: {
  readonly migrations: readonly MigrationSet[]
  readonly log?: Logger
}): Promise<TestDatabase> {
  const { migrations, log = pino({ level: 'silent' }) } = options
  const server = await startTestServer(log)
  try {
    const name = `test_${process.pid}_${randomBytes(5).toString('hex')}`
    await withAdmin(server, async client => {
      // Test processes start together: one creates the template, and none drops it before it is copied.
      await client.query('select pg_advisory_lock(hashtext($1))', ['larder test templates'])
      const template = await ensureTemplate(client, server, migrations, log)
      // Takes half the CPU time of `wal_log`; its checkpoints are fast, because this server never waits for the disk.
      await client.query(`create database ${name} template ${template} strategy file_copy`)
    })
    return {
      ownerUrl: databaseUrl(server, name),
      async drop() {
        await withAdmin(server, client => client.query(`drop database if exists ${name} with (force)`))
        await server.stop()
      },
    }
  } catch (error) {
    await server.stop()
    throw error
  }
}

async function ensureTemplate(
  client: pg.ClientBase,
  server: TestServer,
  migrations: readonly MigrationSet[],
  log: Logger,
): Promise<string> {
  const template = `template_${await templateDigest(migrations)}`
  const { rows } = await client.query('select datname as name from pg_database order by oid')
  const names = rows.map(({ name }) => String(name))
  await dropStaleDatabases(
    client,
    names.filter(name => name !== template),
  )
  if (names.includes(template)) return template
  const building = `building_${process.pid}_${randomBytes(5).toString('hex')}`
  await client.query(`create database ${building}`)
  const database = await openDatabase({ ownerUrl: databaseUrl(server, building), secrets: [SECRET], log })
  await database.migrate(migrations).finally(() => database.close())
  await forgetSecret(server, building)
  await client.query(`alter database ${building} rename to ${template}`)
  return template
}

/** Each test has its own secret. */
async function forgetSecret(server: TestServer, name: string): Promise<void> {
  await withOwner(databaseUrl(server, name), async client => {
    const { rows } = await client.query("select to_regclass('larder_installation') is not null as exists")
    if (rows[0]?.exists) await client.query("update larder_installation set secret_fingerprints = '{}'")
  })
}

/** Includes the source of `tenantTable` and `systemTable`, which create the tables. */
async function templateDigest(migrations: readonly MigrationSet[]): Promise<string> {
  const own = await readFile(new URL(import.meta.url.replace(/testing(\.\w+)$/, 'migration$1')))
  return createHash('sha256')
    .update(await migrationDigest(migrations))
    .update(own)
    .digest('hex')
    .slice(0, 16)
}

/** Drops the databases of test processes that were killed, and the oldest templates. */
async function dropStaleDatabases(client: pg.ClientBase, names: readonly string[]): Promise<void> {
  const drop = (name: string) => client.query(`drop database if exists ${name} with (force)`)
  for (const name of names) {
    const [, pid] = /^(?:test|building)_(\d+)_/.exec(name) ?? []
    if (pid && !(await isAlive(Number(pid)))) await drop(name)
  }
  const templates = names.filter(name => name.startsWith('template_'))
  for (const name of templates.slice(0, -MAX_TEMPLATES)) await drop(name)
  await dropStaleRoles(client)
}

/** Those of databases that were dropped. */
async function dropStaleRoles(client: pg.ClientBase): Promise<void> {
  const { rows } = await client.query(`select rolname as name from pg_roles r
    where rolname ~ '^larder_(app|system)_' and not exists (select from pg_database d
        where d.oid::text = substring(r.rolname from '^larder_[a-z]+_([0-9]+)'))
      and not exists (select from pg_shdepend s where s.refclassid = 'pg_authid'::regclass and s.refobjid = r.oid)`)
  for (const { name } of rows) await client.query(`drop role if exists ${name}`)
}

/** By the URL of the server. Each test file creates and drops a database. */
const admins = new Map<string, pg.Pool>()

/** Releases the locks that `work` takes. */
async function withAdmin<T>(server: TestServer, work: (client: pg.ClientBase) => Promise<T>): Promise<T> {
  const client = await adminPool(server).connect()
  let isReusable = false
  try {
    const result = await work(client)
    await client.query('select pg_advisory_unlock_all()')
    isReusable = true
    return result
  } finally {
    client.release(!isReusable)
  }
}

function adminPool(server: TestServer): pg.Pool {
  let pool = admins.get(server.url)
  if (!pool) {
    pool = new pg.Pool({ connectionString: databaseUrl(server, 'postgres'), allowExitOnIdle: true })
    // Stopping the server closes its connections.
    pool.on('error', () => {})
    pool.on('connect', client => client.on('error', () => {}))
    admins.set(server.url, pool)
  }
  return pool
}

async function withOwner<T>(connectionString: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString })
  // Stopping the server closes this connection; the query itself then fails.
  client.on('error', () => {})
  await client.connect()
  try {
    return await work(client)
  } finally {
    await client.end()
  }
}

const databaseUrl = ({ url }: TestServer, name: string): string =>
  Object.assign(new URL(url), { pathname: `/${name}` }).href
