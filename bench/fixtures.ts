/** A PostgreSQL server with a database for each side of a comparison. */
import { createHash, randomBytes } from 'node:crypto'
import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import pg from 'pg'
import { pino } from 'pino'
import { startEmbedded } from '../services/postgres/embedded/embedded.ts'
import { type Child, child, send } from './measure.ts'

/** A built checkout of Larder. The first one is this checkout. */
export interface Checkout {
  readonly name: string
  readonly root: string
}

/** Bytes, after a garbage collection. */
export interface Memory {
  /** JavaScript's objects, and buffers outside of the heap. */
  readonly heap: number
  readonly resident: number
}

export interface LarderServer extends Child<{ readonly url: string }> {
  readonly databaseUrl: string
  memory(): Promise<Memory>
}

export interface BenchEnvironment {
  readonly folder: string
  readonly rawUrl: string
  /** Bearer token for the raw servers. */
  readonly rawToken: string
  readonly checkouts: readonly Checkout[]
  createDatabase(name: string): Promise<string>
  /**
   * Starts a process of a checkout; `recipe` is a file of this folder. The processes of a recipe share its database.
   * @param settings environment variables of this process
   */
  start(
    checkout: Checkout,
    role: 'web' | 'worker',
    recipe: string,
    settings?: Readonly<Record<string, string>>,
  ): Promise<LarderServer>
  query(url: string, text: string, values?: unknown[]): Promise<pg.QueryResult>
  close(): Promise<void>
}

const RAW_TABLES = `
  create table raw_users (id text primary key, email text not null);
  create table raw_logins (id text primary key, user_id text not null references raw_users, secret_hash text not null unique);
  create table raw_members (user_id text primary key references raw_users, tenant_id text not null);
  create table raw_events (id text primary key, tenant_id text not null, type text not null, subject text, payload json not null,
    created_at timestamptz not null default now())`

const HERE = fileURLToPath(new URL('../../', import.meta.url))

/** @param against folder of another built checkout, which is measured in the same run. */
export async function createEnvironment(against?: string): Promise<BenchEnvironment> {
  const folder = await mkdtemp(join(tmpdir(), 'larder-bench-'))
  // Under root, the database runs as another user, which needs access.
  await chmod(folder, 0o755)
  const embedded = await startEmbedded({ dataDir: folder, log: pino({ level: 'silent' }) })
  const query = async (url: string, text: string, values?: unknown[]) => {
    const client = new pg.Client(url)
    await client.connect()
    try {
      return await client.query(text, values)
    } finally {
      await client.end()
    }
  }
  const createDatabase = async (name: string) => {
    await query(embedded.url, `create database ${name}`)
    return Object.assign(new URL(embedded.url), { pathname: `/${name}` }).href
  }
  const rawUrl = await createDatabase('bench_raw')
  await query(rawUrl, RAW_TABLES)
  const rawToken = randomBytes(32).toString('base64url')
  const hash = createHash('sha256').update(`Bearer ${rawToken}`).digest('hex')
  await query(rawUrl, `insert into raw_users values ('usr_1', 'bench@example.test')`)
  await query(rawUrl, `insert into raw_logins values ('lgn_1', 'usr_1', $1)`, [hash])
  await query(rawUrl, `insert into raw_members values ('usr_1', 'ten_1')`)

  const checkouts = [
    { name: 'Larder', root: HERE },
    ...(against === undefined ? [] : [{ name: 'other checkout', root: resolve(against) }]),
  ]
  const databases = new Map<string, Promise<string>>()
  const run = (
    checkout: Checkout,
    databaseUrl: string,
    args: readonly string[],
    settings: Readonly<Record<string, string>> = {},
  ) =>
    child<{ url: string }>(pathToFileURL(join(checkout.root, 'dist/bench/larder-server.js')), args, {
      DATABASE_URL: databaseUrl,
      LARDER_SECRET: 'a secret of the benchmark with 32 characters',
      LARDER_DATA: folder,
      RATE_LIMITS: 'off',
      PORT: '0',
      ...settings,
    })
  const migrate = async (checkout: Checkout, recipe: string, name: string) => {
    const url = await createDatabase(name)
    await (await run(checkout, url, ['migrate', '/dev/null', recipe])).stop()
    return url
  }
  return {
    folder,
    rawUrl,
    rawToken,
    checkouts,
    createDatabase,
    async start(checkout, role, recipe, settings) {
      const file = join(HERE, 'bench', recipe)
      const name = `larder_${checkouts.indexOf(checkout)}_${recipe.replace(/\W+/g, '_')}`
      const database = databases.get(name) ?? migrate(checkout, file, name)
      databases.set(name, database)
      const databaseUrl = await database
      const started = await run(checkout, databaseUrl, [role, join(folder, `${name}.log`), file], settings)
      return { ...started, databaseUrl, memory: () => started.ask<Memory>('memory') }
    },
    query,
    async close() {
      await embedded.stop()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

export const PASSWORD = 'correct horse battery staple'

/** The headers of a new account. */
export async function register(
  url: string,
  email = `bench-${randomBytes(6).toString('hex')}@example.test`,
): Promise<{ readonly authorization: string }> {
  const account = { email, password: PASSWORD }
  const { token } = await send<{ token: string }>('POST', `${url}/v1/auth/register`, account)
  return { authorization: `Bearer ${token}` }
}
