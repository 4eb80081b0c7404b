/** A PostgreSQL server with a migrated Larder database and a raw comparison schema. */

import { createHash, randomBytes } from 'node:crypto'
import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { pino } from 'pino'
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
  query(url: string, text: string, values?: unknown[]): Promise<pg.QueryResult>
  close(): Promise<void>
}

const RAW_TABLES = `
  create table raw_users (id text primary key, email text not null);
  create table raw_logins (id text primary key, user_id text not null references raw_users, secret_hash text not null unique);
  create table raw_members (user_id text primary key references raw_users, tenant_id text not null);
  create table raw_pages (id text primary key, tenant_id text not null, slug text not null, path text not null,
    locale text not null, version integer not null, published_version integer, published_at timestamptz,
    publish_at timestamptz, created_at timestamptz not null, updated_at timestamptz not null,
    unique (tenant_id, slug, locale), unique (tenant_id, path, locale));
  create index on raw_pages (tenant_id, id);
  create table raw_versions (page_id text not null references raw_pages, number integer not null,
    tenant_id text not null, title text not null, body text not null, html text not null, template text not null,
    seo jsonb not null, created_by text, created_at timestamptz not null, primary key (page_id, number));
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
    query,
    async close() {
      await embedded.stop()
      await rm(folder, { recursive: true, force: true })
    },
  }
}
