/** A database a test file: a copy of one that was migrated once, on a server that all test processes share. */
import { createHash, randomBytes } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { tmpdir, userInfo } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import pg from 'pg'
import { type Logger, pino } from 'pino'
import { type Embedded, startEmbedded } from './embedded/embedded.ts'
import { isAlive } from './embedded/server.ts'
import { migrationDigest } from './migration-files.ts'
import { type MigrationSet, openDatabase } from './open.ts'

export interface TestDatabase {
  readonly ownerUrl: string
  drop(): Promise<void>
}

/** The app role of this server needs no password: each test may have a secret of its own. */
const SECRET = 'the secret under which test databases are migrated'
const MAX_CONNECTIONS = 400
const MOST_TEMPLATES = 40

/** One a checkout: test files of two of them must not stop each other's server. */
const folder = (): string => {
  const checkout = createHash('sha256')
    .update(fileURLToPath(new URL('../..', import.meta.url)))
    .digest('hex')
  return join(tmpdir(), `larder-test-${userInfo().username}-${checkout.slice(0, 12)}`)
}

/** Migrated databases are kept by the content of their migrations; copying one takes some 50 ms. */
export async function createTestDatabase(options: {
  readonly migrations: readonly MigrationSet[]
  readonly log?: Logger
}): Promise<TestDatabase> {
  const { migrations, log = pino({ level: 'silent' }) } = options
  const server = await startEmbedded({ dataDir: folder(), log, durable: false, maxConnections: MAX_CONNECTIONS })
  try {
    const name = `test_${process.pid}_${randomBytes(5).toString('hex')}`
    await withAdmin(server, async client => {
      // Test processes start together: one makes the template, and none sweeps it away before it is copied.
      await client.query('select pg_advisory_lock(hashtext($1))', ['larder test templates'])
      const template = await ensureTemplate(client, server, migrations, log)
      await client.query(`create database ${name} template ${template} strategy file_copy`)
    })
    return {
      ownerUrl: urlOf(server, name),
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
  client: pg.Client,
  server: Embedded,
  migrations: readonly MigrationSet[],
  log: Logger,
): Promise<string> {
  const template = `template_${await digestOf(migrations)}`
  const { rows } = await client.query('select datname as name from pg_database order by oid')
  const names = rows.map(({ name }) => String(name))
  await sweep(
    client,
    names.filter(name => name !== template),
  )
  if (names.includes(template)) return template
  const making = `making_${process.pid}_${randomBytes(5).toString('hex')}`
  await client.query(`create database ${making}`)
  const database = await openDatabase({ ownerUrl: urlOf(server, making), secrets: [SECRET], log })
  await database.migrate(migrations).finally(() => database.close())
  await client.query(`alter database ${making} rename to ${template}`)
  return template
}

/** Also of what makes the tables, which is ours. */
async function digestOf(migrations: readonly MigrationSet[]): Promise<string> {
  const own = await readFile(new URL(import.meta.url.replace(/testing(\.\w+)$/, 'migration$1')))
  return createHash('sha256')
    .update(await migrationDigest(migrations))
    .update(own)
    .digest('hex')
    .slice(0, 16)
}

/** Databases of test processes that were killed, and the oldest templates. */
async function sweep(client: pg.Client, names: readonly string[]): Promise<void> {
  const drop = (name: string) => client.query(`drop database if exists ${name} with (force)`)
  for (const name of names) {
    const [, pid] = /^(?:test|making)_(\d+)_/.exec(name) ?? []
    if (pid && !(await isAlive(Number(pid)))) await drop(name)
  }
  const templates = names.filter(name => name.startsWith('template_'))
  for (const name of templates.slice(0, -MOST_TEMPLATES)) await drop(name)
}

async function withAdmin<T>(server: Embedded, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: urlOf(server, 'postgres') })
  // Whoever stops the server ends it, too; what it was asked for fails by itself.
  client.on('error', () => {})
  await client.connect()
  try {
    return await work(client)
  } finally {
    await client.end()
  }
}

const urlOf = ({ url }: Embedded, name: string): string => Object.assign(new URL(url), { pathname: `/${name}` }).href
