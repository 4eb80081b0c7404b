/**
 * Reads and writes of a collection with 1,000 rows beside one with millions of rows and thousands of tenants, and the
 * time until a subscriber has a change. `npm run bench -- scale [rows] [tenants]`; 5 million and 5,000 by default.
 */
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import autocannon from 'autocannon'
import { WebSocket } from 'ws'
import type { BenchEnvironment } from '../fixtures.ts'
import { child, percentile } from '../measure.ts'
import { mapConcurrently } from '../peers.ts'
import { CATEGORIES, type Course, courses, newCourse } from './courses.ts'
import { send } from './side.ts'

const RECIPE = fileURLToPath(new URL('./larder.yaml', import.meta.url))
const ROWS = 5_000_000
const TENANTS = 5_000
const ROWS_OF_A_TENANT = 20
const REQUESTS = 400
const CHANGES = 300
const CONNECTIONS = 16

interface Product {
  readonly base: string
  readonly databaseUrl: string
  readonly headers: Readonly<Record<string, string>>
  readonly tenantId: string
  readonly categories: readonly string[]
  ids: readonly string[]
  stop(): Promise<void>
}

/** Returns a Markdown table. */
export async function scale(environment: BenchEnvironment, [rows, tenants]: readonly string[]): Promise<string> {
  const small = await start(environment, 'small')
  const large = await start(environment, 'large')
  try {
    const counts = { rows: Number(rows) || ROWS, tenants: Number(tenants) || TENANTS }
    console.error(`adding ${counts.rows.toLocaleString('en')} rows and ${counts.tenants} tenants …`)
    const started = performance.now()
    large.ids = await fill(environment, large, counts)
    console.error(
      `added in ${((performance.now() - started) / 1000).toFixed(0)} s: ${await sizeOf(environment, large)}`,
    )
    const lines: string[][] = []
    for (const [name, request] of Object.entries(operations)) {
      console.error(`measuring ${name} …`)
      const [few, many] = await inTurns(small, large, request)
      const p95 = [few, many].map(times => percentile(times, 0.95))
      const text = (times: readonly number[]) =>
        `p50 ${percentile(times, 0.5).toFixed(1)} ms, p95 ${percentile(times, 0.95).toFixed(1)} ms`
      lines.push([name, text(few), text(many), `**${((p95[1] ?? 0) / (p95[0] ?? 1)).toFixed(2)}** (target: ≤ 2)`])
    }
    lines.push(await live(large))
    const head = ['', '1,000 rows', `${counts.rows.toLocaleString('en')} rows, ${counts.tenants} tenants`, 'p95']
    return [head, head.map(() => '---'), ...lines].map(cells => `| ${cells.join(' | ')} |`).join('\n')
  } finally {
    await small.stop()
    await large.stop()
  }
}

async function start({ larderUrl, env, folder, query }: BenchEnvironment, name: string): Promise<Product> {
  await query(larderUrl, `create database scale_${name}`)
  const databaseUrl = Object.assign(new URL(larderUrl), { pathname: `/scale_${name}` }).href
  const settings = { ...env, DATABASE_URL: databaseUrl }
  await (await child('./larder-server.js', ['migrate', '/dev/null', RECIPE], settings)).stop()
  const server = await child<{ url: string }>('./larder-server.js', ['web', `${folder}/${name}.log`, RECIPE], settings)
  const base = server.ready.url
  const account = { email: `${name}@example.test`, password: 'correct horse battery staple' }
  const { token, workspace } = await send<{ token: string; workspace: { id: string } }>(
    'POST',
    `${base}/v1/auth/register`,
    account,
  )
  const headers = { authorization: `Bearer ${token}` }
  const create = async (collection: string, row: object) =>
    (await send<{ id: string }>('POST', `${base}/v1/data/${collection}`, row, headers)).id
  const categories = await mapConcurrently(CATEGORIES.length, at => create('categories', { name: CATEGORIES[at] }))
  const product = { base, databaseUrl, headers, tenantId: workspace.id, categories, ids: [], stop: server.stop }
  const ids = await mapConcurrently(courses.length, at => create('courses', rowOf(product, courses[at] as Course)), 8)
  return { ...product, ids }
}

const rowOf = ({ categories }: Pick<Product, 'categories'>, { category, ...rest }: Course) => ({
  ...rest,
  category: categories[category],
})

/** Rows of the tenant, in different orders of id and start, and of other tenants. Returns ids from all over the table. */
async function fill(
  { query }: BenchEnvironment,
  { databaseUrl, tenantId, ids, categories }: Product,
  counts: { readonly rows: number; readonly tenants: number },
): Promise<readonly string[]> {
  const [prefix] = (ids[0] as string).split('_')
  const insert = (tenant: string, from: number, to: number, category: string) =>
    `insert into data_courses (tenant_id, id, created_at, updated_at, created_by, revision, title, summary, level, price,
       starts_at, published, category)
     select ${tenant}, '${prefix}_00' || lpad(n::text, 24, '0'), now() - n * interval '1 second', now(), null, 1,
       'Course ' || n, repeat('What you learn in this course. ', 6),
       (array['beginner', 'intermediate', 'advanced', 'expert'])[1 + n % 4], n % 10000,
       timestamptz '2027-01-01' + (n::bigint * 7919 % 5000011) * interval '1 minute', n % 3 > 0, ${category}
     from generate_series(${from}, ${to}) n`
  const chosen = `(array[${categories.map(id => `'${id}'`).join(', ')}])[1 + n % ${categories.length}]`
  const step = 250_000
  for (let from = 1; from <= counts.rows; from += step)
    await query(databaseUrl, insert(`'${tenantId}'`, from, Math.min(from + step - 1, counts.rows), chosen))
  const others = counts.tenants * ROWS_OF_A_TENANT
  const other = `'ten_00' || lpad((n % ${counts.tenants})::text, 24, '0')`
  await query(databaseUrl, insert(other, counts.rows + 1, counts.rows + others, 'null'))
  await query(databaseUrl, 'analyze data_courses')
  const between = Math.max(1, Math.floor(counts.rows / REQUESTS))
  return Array.from({ length: REQUESTS }, (_, at) => `${prefix}_00${String(1 + at * between).padStart(24, '0')}`)
}

async function sizeOf({ query }: BenchEnvironment, { databaseUrl }: Product): Promise<string> {
  const { rows } = await query(databaseUrl, `select pg_size_pretty(pg_total_relation_size('data_courses')) as size`)
  return (rows[0] as { size: string }).size
}

type Request = (product: Product, index: number) => Promise<unknown>

const get = ({ base, headers }: Product, path: string) => send('GET', `${base}/v1/data/${path}`, undefined, headers)

const operations: Readonly<Record<string, Request>> = {
  'get a row': (product, index) => get(product, `courses/${product.ids[index % product.ids.length]}`),
  'list 20 rows': product => get(product, 'courses?limit=20'),
  'list 20 rows with a filter, a sort and an expansion': product =>
    get(product, 'courses?filter[level][eq]=beginner&sort=-startsAt&limit=20&expand=category'),
  'list 20 rows that start after a time': (product, index) => {
    const start = new Date(Date.UTC(2027, 0, 1) + index * 3_600_000).toISOString()
    return get(product, `courses?filter[startsAt][gte]=${start}&sort=startsAt&limit=20`)
  },
  'create a row': product =>
    send('POST', `${product.base}/v1/data/courses`, rowOf(product, newCourse), product.headers),
}

/** One request at a time, alternately, so that other load of the machine affects both. */
async function inTurns(small: Product, large: Product, request: Request): Promise<[number[], number[]]> {
  const times: [number[], number[]] = [[], []]
  for (let index = -20; index < REQUESTS; index++)
    for (const [side, product] of [small, large].entries()) {
      const started = performance.now()
      await request(product, Math.max(0, index))
      if (index >= 0) times[side]?.push(performance.now() - started)
    }
  return times
}

/** From before the request until a subscriber has the change, while the product gets half of the requests it can serve. */
async function live(product: Product): Promise<string[]> {
  console.error('measuring live updates …')
  const { base, headers, tenantId } = product
  const path = `${base}/v1/data/courses/${product.ids[0]}`
  const full = await autocannon({ url: path, headers: { ...headers }, connections: CONNECTIONS, duration: 3 })
  const sent = new Map<string, number>()
  const times: number[] = []
  const socket = await subscribe(product, title => {
    const at = sent.get(title)
    if (at !== undefined) times.push(performance.now() - at)
  })
  const rate = Math.floor(full.requests.average / 2)
  const options = { url: path, headers: { ...headers }, connections: CONNECTIONS, duration: 60, overallRate: rate }
  const load = autocannon(options, () => undefined)
  try {
    for (let index = 0; index < CHANGES; index++) {
      const title = `Live ${index}`
      sent.set(title, performance.now())
      await send('POST', `${base}/v1/data/courses`, { ...rowOf(product, newCourse), title }, headers)
      await pause(20)
    }
    const deadline = performance.now() + 5_000
    while (times.length < CHANGES && performance.now() < deadline) await pause(10)
    if (times.length < CHANGES) throw new Error(`${times.length} of ${CHANGES} changes arrived in ${tenantId}`)
  } finally {
    socket.terminate()
    load.stop()
  }
  const p95 = percentile(times, 0.95)
  return [
    `a subscriber has a change, at ${rate.toLocaleString('en')} reads/s`,
    '–',
    `p50 ${percentile(times, 0.5).toFixed(1)} ms, p95 ${p95.toFixed(1)} ms`,
    `**${p95.toFixed(0)} ms** (target: ≤ 100 ms)`,
  ]
}

async function subscribe({ base, headers, tenantId }: Product, onTitle: (title: string) => void): Promise<WebSocket> {
  const socket = new WebSocket(`${base.replace(/^http/, 'ws')}/v1/realtime`)
  const token = headers.authorization?.replace('Bearer ', '')
  const frame = (type: string, data: object) => socket.send(JSON.stringify({ type, id: type, data }))
  await new Promise<void>((resolve, reject) => {
    socket.on('error', reject)
    socket.on('close', (code, reason) => reject(new Error(`the socket was closed: ${code} ${reason}`)))
    socket.on('open', () => frame('hello', { tenantId, token }))
    socket.on('message', raw => {
      const { type, data } = JSON.parse(String(raw)) as {
        type: string
        data: { message?: { row?: { title: string } } }
      }
      if (type === 'error') reject(new Error(String(raw)))
      if (type === 'welcome')
        frame('subscribe', { subscription: 'rows', topic: 'collections.rows', params: { collection: 'courses' } })
      if (type === 'subscribed') resolve()
      if (type === 'ping') frame('pong', data)
      const title = data.message?.row?.title
      if (title !== undefined) onTitle(title)
    })
  })
  return socket
}
