/** A PostgreSQL server with a migrated Larder database and a raw comparison schema. */

import { createHash, randomBytes } from 'node:crypto'
import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { pino } from 'pino'
import { newId } from '../kernel/base/index.ts'
import { startEmbedded } from '../services/postgres/embedded/embedded.ts'
import { child } from './measure.ts'

export interface BenchEnvironment {
  readonly folder: string
  readonly rawUrl: string
  readonly larderUrl: string
  /** Environment variables of a Larder process. */
  readonly env: Readonly<Record<string, string>>
  /** Bearer token for the raw servers. */
  readonly rawToken: string
  readonly rawNoteId: string
  query(url: string, text: string, values?: unknown[]): Promise<pg.QueryResult>
  close(): Promise<void>
}

const RAW_TABLES = `
  create table raw_users (id text primary key, email text not null);
  create table raw_logins (id text primary key, user_id text not null references raw_users, secret_hash text not null unique);
  create table raw_members (user_id text primary key references raw_users, tenant_id text not null);
  create table raw_notes (id text primary key, tenant_id text not null, title text not null, body text not null,
    created_at timestamptz not null default now());
  create index on raw_notes (tenant_id, id);
  create table raw_events (id text primary key, tenant_id text not null, type text not null, subject text, payload json not null,
    created_at timestamptz not null default now());
  create table raw_effects (tenant_id text not null, event_id text primary key, at timestamptz not null default clock_timestamp())`

export async function createEnvironment(): Promise<BenchEnvironment> {
  const folder = await mkdtemp(join(tmpdir(), 'larder-bench-'))
  // Under root, the database runs as another user, which needs access.
  await chmod(folder, 0o755)
  const embedded = await startEmbedded({ dataDir: folder, log: pino({ level: 'silent' }) })
  const at = (name: string) => Object.assign(new URL(embedded.url), { pathname: `/${name}` }).href
  const query = async (url: string, text: string, values?: unknown[]) => {
    const client = new pg.Client(url)
    await client.connect()
    try {
      return await client.query(text, values)
    } finally {
      await client.end()
    }
  }
  for (const name of ['bench_raw', 'bench_larder']) await query(embedded.url, `create database ${name}`)
  const rawUrl = at('bench_raw')
  await query(rawUrl, RAW_TABLES)
  const rawToken = randomBytes(32).toString('base64url')
  const hash = createHash('sha256').update(`Bearer ${rawToken}`).digest('hex')
  await query(rawUrl, `insert into raw_users values ('usr_1', 'bench@example.test')`)
  await query(rawUrl, `insert into raw_logins values ('lgn_1', 'usr_1', $1)`, [hash])
  await query(rawUrl, `insert into raw_members values ('usr_1', 'ten_1')`)
  const ids = Array.from({ length: 1000 }, () => newId('note'))
  const fill = `insert into raw_notes (id, tenant_id, title, body) select id, 'ten_1', 'A title', $2 from unnest($1::text[]) as id`
  await query(rawUrl, fill, [ids, 'x'.repeat(200)])

  const env = {
    DATABASE_URL: at('bench_larder'),
    LARDER_SECRET: 'a secret of the benchmark with 32 characters',
    LARDER_DATA: folder,
    RATE_LIMITS: 'off',
    PORT: '0',
  }
  await (await child('./larder-server.js', ['migrate'], env)).stop()
  return {
    folder,
    rawUrl,
    larderUrl: env.DATABASE_URL,
    env,
    rawToken,
    rawNoteId: ids[500] as string,
    query,
    async close() {
      await embedded.stop()
      await rm(folder, { recursive: true, force: true })
    },
  }
}
