/**
 * The import of a CSV file as a job, beside PostgreSQL alone: COPY of the same rows, and INSERT of 500 rows per statement
 * with an event for each. `npm run bench -- imports [rows]`.
 */
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import pg from 'pg'
import { newId } from '../../kernel/base/index.ts'
import type { BenchEnvironment } from '../fixtures.ts'
import { child } from '../measure.ts'
import { type Course, courses } from './courses.ts'
import { send } from './side.ts'

const RECIPE = fileURLToPath(new URL('./larder.yaml', import.meta.url))
const DEFAULT_ROWS = 100_000
const BATCH_ROWS = 500
const MIB = 1024 * 1024

interface Measured {
  readonly name: string
  readonly seconds: number
  /** Peak of the server's resident memory, less its value before. */
  readonly memoryBytes?: number
}

/** Returns a Markdown table. */
export async function imports(environment: BenchEnvironment, [rows]: readonly string[]): Promise<string> {
  const count = Number(rows) || DEFAULT_ROWS
  const file = csvOf(count)
  const measured = [await copy(environment, file), await insert(environment, count), await larder(environment, file)]
  const [, inserted] = measured
  const lines = measured.map(({ name, seconds, memoryBytes }) => [
    name,
    `${seconds.toFixed(1)} s`,
    `${Math.round(count / seconds).toLocaleString('en')} rows/s`,
    inserted ? (inserted.seconds / seconds).toFixed(2) : '–',
    memoryBytes === undefined ? '–' : `${Math.round(memoryBytes / MIB)} MiB`,
  ])
  const head = [`${count.toLocaleString('en')} rows`, 'time', 'rate', 'of INSERT', 'memory in addition']
  return [head, head.map(() => '---'), ...lines].map(cells => `| ${cells.join(' | ')} |`).join('\n')
}

const courseAt = (index: number): Course => courses[index % courses.length] as Course

function csvOf(count: number): string {
  const lines = Array.from({ length: count }, (_, index) => {
    const { summary, level, price, startsAt, published } = courseAt(index)
    return `Course ${index},"${summary}",${level},${price},${startsAt},${published}`
  })
  return `title,summary,level,price,startsAt,published\n${lines.join('\n')}\n`
}

const TABLES = `
  drop table if exists raw_imported, raw_import_events;
  create table raw_imported (tenant_id text not null default 'ten_1', id text not null default gen_random_uuid()::text, title text not null,
    summary text, level text not null, price bigint, starts_at timestamptz, published boolean, created_at timestamptz not null default now(),
    primary key (tenant_id, id));
  create index on raw_imported (tenant_id, starts_at, id);
  create table raw_import_events (id text primary key, tenant_id text not null, type text not null, payload json not null,
    created_at timestamptz not null default now())`

async function copy({ rawUrl, folder, query }: BenchEnvironment, file: string): Promise<Measured> {
  await query(rawUrl, TABLES)
  const path = join(folder, 'courses.csv')
  await writeFile(path, file, { mode: 0o644 })
  return timed('COPY', () =>
    query(
      rawUrl,
      `copy raw_imported (title, summary, level, price, starts_at, published) from '${path}' (format csv, header)`,
    ),
  )
}

async function insert({ rawUrl, query }: BenchEnvironment, count: number): Promise<Measured> {
  await query(rawUrl, TABLES)
  const client = new pg.Client(rawUrl)
  await client.connect()
  try {
    return await timed('INSERT of 500 rows with events', async () => {
      for (let from = 0; from < count; from += BATCH_ROWS) {
        const rows = Array.from({ length: Math.min(BATCH_ROWS, count - from) }, (_, at) => ({
          ...courseAt(from + at),
          id: newId('crs'),
          title: `Course ${from + at}`,
        }))
        await client.query('begin')
        await client.query(INSERT, [JSON.stringify(rows)])
        await client.query(INSERT_EVENTS, [JSON.stringify(rows.map(row => ({ id: newId('evt'), row })))])
        await client.query('commit')
      }
    })
  } finally {
    await client.end()
  }
}
const INSERT = `insert into raw_imported (tenant_id, id, title, summary, level, price, starts_at, published)
  select 'ten_1', c.id, c.title, c.summary, c.level, c.price, c."startsAt", c.published from json_to_recordset($1)
    c (id text, title text, summary text, level text, price bigint, "startsAt" timestamptz, published boolean)`
const INSERT_EVENTS = `insert into raw_import_events (id, tenant_id, type, payload)
  select e.id, 'ten_1', 'course.created', e.row from json_to_recordset($1) e (id text, row json)`

async function larder({ folder, env, larderUrl, query }: BenchEnvironment, file: string): Promise<Measured> {
  await query(larderUrl, 'create database collections_imports')
  const DATABASE_URL = Object.assign(new URL(larderUrl), { pathname: '/collections_imports' }).href
  const settings = { ...env, DATABASE_URL }
  await (await child('./larder-server.js', ['migrate', '/dev/null', RECIPE], settings)).stop()
  const server = await child<{ url: string }>('./larder-server.js', ['all', `${folder}/imports.log`, RECIPE], settings)
  try {
    const { url } = server.ready
    const account = { email: 'imports@example.test', password: 'correct horse battery staple' }
    const { token } = await send<{ token: string }>('POST', `${url}/v1/auth/register`, account)
    const headers = { authorization: `Bearer ${token}` }
    const path = `${url}/v1/data/courses/imports`
    const pid = server.process.pid as number
    const before = await peakMemory(pid)
    const measured = await timed('Larder, upload and job', async () => {
      const response = await fetch(path, {
        method: 'POST',
        headers: { ...headers, 'content-type': 'text/csv' },
        body: file,
      })
      const { id } = (await response.json()) as { id: string }
      for (let state = ''; state !== 'succeeded'; await pause(20)) {
        state = (await send<{ state: string }>('GET', `${path}/${id}`, undefined, headers)).state
        if (state === 'failed') throw new Error('the import failed')
      }
    })
    return { ...measured, memoryBytes: (await peakMemory(pid)) - before }
  } finally {
    await server.stop()
  }
}

async function peakMemory(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8')
  return Number(/VmHWM:\s+(\d+) kB/.exec(status)?.[1]) * 1024
}

async function timed(name: string, work: () => Promise<unknown>): Promise<Measured> {
  const started = performance.now()
  await work()
  return { name, seconds: (performance.now() - started) / 1000 }
}
