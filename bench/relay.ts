/** Event deliveries of one worker per second, and the latency from commit to handler. */

import pg from 'pg'
import { newId } from '../kernel/base/index.ts'
import type { BenchEnvironment } from './fixtures.ts'
import { child, percentile, type Row } from './measure.ts'

const EVENTS = 40_000
const CONNECTIONS = 4
const BATCH = 50
const PACED = 400
const WARM = 200
/** Of an event. */
const PAYLOAD = JSON.stringify({ pageId: 'pag_1', slug: 'a', path: '/a', locale: 'en', version: 1 })

export async function relay(environment: BenchEnvironment): Promise<Row[]> {
  await publish(environment, EVENTS)
  const worker = await child('./larder-server.js', ['worker', `${environment.folder}/worker.log`], environment.env)
  try {
    await untilDispatched(environment)
    const done = await environment.query(
      environment.larderUrl,
      `select extract(epoch from max(at) - min(at))::float8 as seconds, count(*)::int as count from effects_effects`,
    )
    const { seconds, count } = done.rows[0]
    const limit = await plainRelay(environment)
    const latency = await measureLatency(environment)
    return [
      {
        what: 'event deliveries by one worker; each handler writes a row',
        measured: `**${rate(count / seconds)}** (${(count / seconds / limit).toFixed(2)})`,
        against: `pg alone, same statements, ${CONNECTIONS} connections, ${BATCH} events per transaction: ${rate(limit)}`,
        aim: '≥ 0.95',
      },
      {
        what: 'commit to handler',
        measured: `p50 ${percentile(latency, 0.5).toFixed(1)} ms, **p95 ${percentile(latency, 0.95).toFixed(1)} ms**`,
        against: '–',
        aim: 'p95 ≤ 25 ms',
      },
    ]
  } finally {
    await worker.stop()
  }
}

const rate = (value: number) => `${Math.round(value).toLocaleString('en')}/s`

/** Inserts directly into the outbox, like a batch of committed changes. */
async function publish(environment: BenchEnvironment, count: number): Promise<void> {
  await environment.query(environment.larderUrl, 'delete from effects_effects')
  const ids = Array.from({ length: count }, () => newId('evt'))
  await environment.query(
    environment.larderUrl,
    `insert into larder_events (id, type, version, tenant_id, occurred_at, actor, payload)
     select id, 'content.page.created', 1, (select operator_tenant_id from larder_installation), now(),
       '{"kind":"system","id":"bench"}', '${PAYLOAD}' from unnest($1::text[]) as id`,
    [ids],
  )
}

async function untilDispatched(environment: BenchEnvironment): Promise<void> {
  for (;;) {
    const left = await environment.query(
      environment.larderUrl,
      'select count(*)::int as n from larder_events where dispatched_at is null',
    )
    if (left.rows[0].n === 0) return
    await new Promise(resolve => setTimeout(resolve, 100))
  }
}

/** The comparison: claims the same events, inserts the row of each handler and the deliveries, without Larder. */
async function plainRelay({ rawUrl, query }: BenchEnvironment): Promise<number> {
  await query(rawUrl, RAW_OUTBOX)
  await query(
    rawUrl,
    `insert into raw_outbox (id, type, tenant_id, occurred_at, actor, payload)
     select 'evt_' || lpad(n::text, 26, '0'), 'content.page.created', 'ten_1', now(), '{"kind":"system","id":"bench"}',
       '${PAYLOAD}' from generate_series(1, $1) n`,
    [EVENTS],
  )
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

const RAW_OUTBOX = `
  create table raw_outbox (id text primary key, type text not null, tenant_id text not null,
    occurred_at timestamptz not null, actor jsonb not null, payload jsonb not null, dispatched_at timestamptz);
  create index on raw_outbox (id) where dispatched_at is null;
  create table raw_deliveries (id text primary key, event_id text not null, handler text not null,
    tenant_id text not null, done_at timestamptz, unique (event_id, handler))`

/** @returns false if no event is waiting. */
async function relayBatch(client: pg.Client): Promise<boolean> {
  await client.query('begin')
  const { rows } = await client.query<{ id: string; tenant_id: string; payload: unknown }>({
    name: 'claim',
    text: `select id, type, tenant_id, occurred_at, actor, payload from raw_outbox where dispatched_at is null
       order by id limit ${BATCH} for update skip locked`,
  })
  const ids = rows.map(({ id }) => id)
  for (const { id, tenant_id } of rows)
    await client.query({
      name: 'effect',
      text: 'insert into raw_effects (tenant_id, event_id) values ($1, $2)',
      values: [tenant_id, id],
    })
  await client.query({
    name: 'deliveries',
    text: `insert into raw_deliveries (id, event_id, handler, tenant_id, done_at)
       select 'dlv_' || id, id, 'effects:insert', 'ten_1', now() from unnest($1::text[]) id`,
    values: [ids],
  })
  await client.query({
    name: 'dispatched',
    text: 'update raw_outbox set dispatched_at = now() where id = any($1)',
    values: [ids],
  })
  await client.query('commit')
  return rows.length > 0
}

/** One event at a time: milliseconds from the commit of a request to the handler. */
async function measureLatency(environment: BenchEnvironment): Promise<number[]> {
  const web = await child<{ url: string }>(
    './larder-server.js',
    ['web', `${environment.folder}/paced.log`],
    environment.env,
  )
  try {
    const body = JSON.stringify({ email: `paced-${Date.now()}@example.test`, password: 'correct horse battery staple' })
    const json = { 'content-type': 'application/json' }
    const account = await fetch(`${web.ready.url}/v1/auth/register`, { method: 'POST', headers: json, body })
    const { token } = (await account.json()) as { token: string }
    const headers = { ...json, authorization: `Bearer ${token}` }
    const post = async (name: string, times: number) => {
      for (let i = 0; i < times; i++) {
        const page = JSON.stringify({ slug: `${name}-${i}`, title: 'A title' })
        await fetch(`${web.ready.url}/v1/content/pages`, { method: 'POST', headers, body: page })
        await new Promise(resolve => setTimeout(resolve, 5))
      }
      await untilDispatched(environment)
    }
    // The welcome mail of this account is the first one, which loads the mail templates.
    await post('warm', WARM)
    await post('paced', PACED)
    const seen = await environment.query(
      environment.larderUrl,
      `select extract(epoch from f.at - e.occurred_at)::float8 * 1000 as ms from effects_effects f
       join larder_events e on e.id = f.event_id where e.payload->>'slug' like 'paced-%'`,
    )
    return seen.rows.map(({ ms }) => ms as number)
  } finally {
    await web.stop()
  }
}
