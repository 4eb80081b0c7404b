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

export async function relay(environment: BenchEnvironment): Promise<Row[]> {
  await publish(environment, EVENTS)
  const worker = await child('./larder-server.js', ['worker', `${environment.folder}/worker.log`], environment.env)
  try {
    await untilDispatched(environment)
    const done = await environment.query(
      environment.larderUrl,
      `select extract(epoch from max(at) - min(at))::float8 as seconds, count(*)::int as count from notes_effects`,
    )
    const { seconds, count } = done.rows[0]
    const limit = await plainInserts(environment.rawUrl)
    const latency = await measureLatency(environment)
    return [
      {
        what: 'event deliveries by one worker; each handler writes a row',
        measured: `**${rate(count / seconds)}** (${(count / seconds / limit).toFixed(2)})`,
        against: `pg alone, same row, ${CONNECTIONS} connections, ${BATCH} per transaction, one pipelined batch each: ${rate(limit)}`,
        aim: '≥ 10,000/s',
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
  await environment.query(environment.larderUrl, 'delete from notes_effects')
  const ids = Array.from({ length: count }, () => newId('evt'))
  await environment.query(
    environment.larderUrl,
    `insert into larder_events (id, type, version, tenant_id, occurred_at, actor, payload)
     select id, 'notes.note.created', 1, (select operator_tenant_id from larder_installation), now(),
       '{"kind":"system","id":"bench"}', '{"noteId":"note_1","title":"A title"}' from unnest($1::text[]) as id`,
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

/** The comparison: only the row of the handler, without claim, savepoint and delivery. */
async function plainInserts(url: string): Promise<number> {
  const started = performance.now()
  const insert = async (n: number) => {
    const client = new pg.Client(url)
    await client.connect()
    for (let done = 0; done < EVENTS / CONNECTIONS; done += BATCH) {
      await client.query('begin')
      for (let i = 0; i < BATCH; i++)
        await client.query({
          name: 'effect',
          text: 'insert into raw_effects (tenant_id, event_id) values ($1, $2)',
          values: ['ten_1', `${n}-${done + i}`],
        })
      await client.query('commit')
    }
    await client.end()
  }
  await Promise.all(Array.from({ length: CONNECTIONS }, (_, n) => insert(n)))
  return EVENTS / ((performance.now() - started) / 1000)
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
    const post = async (title: string, times: number) => {
      for (let i = 0; i < times; i++) {
        await fetch(`${web.ready.url}/v1/notes`, { method: 'POST', headers, body: JSON.stringify({ title, body: '' }) })
        await new Promise(resolve => setTimeout(resolve, 5))
      }
      await untilDispatched(environment)
    }
    // The welcome mail of this account is the first one, which loads the mail templates.
    await post('warm', WARM)
    await post('paced', PACED)
    const seen = await environment.query(
      environment.larderUrl,
      `select extract(epoch from f.at - e.occurred_at)::float8 * 1000 as ms from notes_effects f
       join larder_events e on e.id = f.event_id where e.payload->>'title' = 'paced'`,
    )
    return seen.rows.map(({ ms }) => ms as number)
  } finally {
    await web.stop()
  }
}
