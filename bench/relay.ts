/** Event deliveries of one worker per second, and the latency from commit to handler. */
import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import { newId } from '../kernel/base/index.ts'
import { type BenchEnvironment, type Checkout, register } from './fixtures.ts'
import { median, percentile, perSecond, type Row, send } from './measure.ts'

const RECIPE = 'recipe.yaml'
const EVENTS = 40_000
const CONNECTIONS = 4
const BATCH = 50
const WARM_EVENTS = 200
const PACED_EVENTS = 400
const PACE_MS = 5
const PAYLOAD = JSON.stringify({ pageId: 'pag_1', slug: 'a', path: '/a', locale: 'en', version: 1 })

export async function relay(environment: BenchEnvironment): Promise<Row[]> {
  const seen: Measured[] = []
  for (const checkout of environment.checkouts) seen.push(await measureCheckout(environment, checkout))
  const [here, ...others] = seen
  if (!here) throw new Error('expected a checkout')
  const limit = await plainRelay(environment)
  const other = (text: (one: Measured) => string) => others.map(one => `; other checkout ${text(one)}`).join()
  const latency = (one: Measured) =>
    `p50 ${median(one.latencies).toFixed(1)} ms, p95 ${percentile(one.latencies, 0.95).toFixed(1)} ms`
  return [
    {
      what: 'event deliveries by one worker; each handler writes a row',
      measured: `**${perSecond(here.rate)}** (${(here.rate / limit).toFixed(2)})`,
      against: `pg alone, same statements, ${CONNECTIONS} connections, ${BATCH} events per transaction ${perSecond(limit)}${other(one => perSecond(one.rate))}`,
      target: '≥ 5,000/s',
    },
    { what: 'commit to handler', measured: latency(here), against: `–${other(latency)}`, target: 'p95 ≤ 25 ms' },
  ]
}

interface Measured {
  /** Deliveries per second. */
  readonly rate: number
  /** Milliseconds. */
  readonly latencies: readonly number[]
}

async function measureCheckout(environment: BenchEnvironment, checkout: Checkout): Promise<Measured> {
  const web = await environment.start(checkout, 'web', RECIPE)
  await insertEvents(environment, web.databaseUrl)
  const worker = await environment.start(checkout, 'worker', RECIPE)
  try {
    await untilDispatched(environment, web.databaseUrl)
    const sql = `select extract(epoch from max(at) - min(at))::float8 as seconds, count(*)::int as count from effects_effects`
    const { seconds, count } = (await environment.query(web.databaseUrl, sql)).rows[0]
    return { rate: count / seconds, latencies: await measureLatency(environment, web.databaseUrl, web.ready.url) }
  } finally {
    await Promise.all([web.stop(), worker.stop()])
  }
}

/** Inserts directly into the outbox, like a batch of committed changes. */
async function insertEvents({ query }: BenchEnvironment, url: string): Promise<void> {
  await query(
    url,
    `insert into larder_events (id, type, version, tenant_id, occurred_at, actor, payload)
     select id, 'content.page.created', 1, (select operator_tenant_id from larder_installation), now(),
       '{"kind":"system","id":"bench"}', '${PAYLOAD}' from unnest($1::text[]) as id`,
    [Array.from({ length: EVENTS }, () => newId('evt'))],
  )
}

async function untilDispatched({ query }: BenchEnvironment, url: string): Promise<void> {
  const left = 'select count(*)::int as n from larder_events where dispatched_at is null'
  while ((await query(url, left)).rows[0].n > 0) await pause(100)
}

/** One event at a time: milliseconds from the commit of a request to the handler. */
async function measureLatency(environment: BenchEnvironment, databaseUrl: string, url: string): Promise<number[]> {
  const headers = await register(url)
  const create = async (name: string, times: number) => {
    for (let i = 0; i < times; i++) {
      await send('POST', `${url}/v1/content/pages`, { slug: `${name}-${i}`, title: 'A title' }, headers)
      await pause(PACE_MS)
    }
    await untilDispatched(environment, databaseUrl)
  }
  await create('warm', WARM_EVENTS)
  await create('paced', PACED_EVENTS)
  const sql = `select extract(epoch from f.at - e.occurred_at)::float8 * 1000 as ms from effects_effects f
    join larder_events e on e.id = f.event_id where e.payload->>'slug' like 'paced-%'`
  return (await environment.query(databaseUrl, sql)).rows.map(({ ms }) => ms as number)
}

const RAW_OUTBOX = `
  create table raw_effects (tenant_id text not null, event_id text primary key, at timestamptz not null default clock_timestamp());
  create table raw_outbox (id text primary key, type text not null, tenant_id text not null,
    occurred_at timestamptz not null, actor jsonb not null, payload jsonb not null, dispatched_at timestamptz);
  create index on raw_outbox (id) where dispatched_at is null;
  create table raw_deliveries (id text primary key, event_id text not null, handler text not null,
    tenant_id text not null, done_at timestamptz, unique (event_id, handler));
  insert into raw_outbox (id, type, tenant_id, occurred_at, actor, payload)
    select 'evt_' || lpad(n::text, 26, '0'), 'content.page.created', 'ten_1', now(), '{"kind":"system","id":"bench"}',
      '${PAYLOAD}' from generate_series(1, ${EVENTS}) n`

/** The comparison: claims the same events, inserts the row of each handler and the deliveries, without Larder. */
async function plainRelay({ rawUrl, query }: BenchEnvironment): Promise<number> {
  await query(rawUrl, RAW_OUTBOX)
  const started = performance.now()
  const work = async () => {
    const client = new pg.Client(rawUrl)
    await client.connect()
    while (await relayBatch(client));
    await client.end()
  }
  await Promise.all(Array.from({ length: CONNECTIONS }, work))
  return EVENTS / ((performance.now() - started) / 1000)
}

const CLAIM = `select id, type, tenant_id, occurred_at, actor, payload from raw_outbox where dispatched_at is null
  order by id limit ${BATCH} for update skip locked`
const DELIVER = `insert into raw_deliveries (id, event_id, handler, tenant_id, done_at)
  select 'dlv_' || id, id, 'effects:insert', 'ten_1', now() from unnest($1::text[]) id`

/** @returns false if no event is waiting. */
async function relayBatch(client: pg.Client): Promise<boolean> {
  const query = (name: string, text: string, values: unknown[] = []) => client.query({ name, text, values })
  await client.query('begin')
  const { rows } = await query('claim', CLAIM)
  for (const { id, tenant_id } of rows)
    await query('effect', 'insert into raw_effects (tenant_id, event_id) values ($1, $2)', [tenant_id, id])
  const ids = rows.map(({ id }) => id)
  await query('deliveries', DELIVER, [ids])
  await query('dispatched', 'update raw_outbox set dispatched_at = now() where id = any($1)', [ids])
  await client.query('commit')
  return rows.length > 0
}
