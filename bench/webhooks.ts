/** Webhook deliveries of one worker per second, and the delay of the first attempt. */

import { createHmac } from 'node:crypto'
import { Agent, request } from 'node:http'
import { fileURLToPath } from 'node:url'
import autocannon from 'autocannon'
import { newId } from '../kernel/base/index.ts'
import { cpuSeconds } from './cpu.ts'
import type { BenchEnvironment } from './fixtures.ts'
import { type Child, child, percentile, type Row } from './measure.ts'
import { mapConcurrently, post } from './peers.ts'
import type { ReceiverReport } from './receiver.ts'

const RECIPE = fileURLToPath(new URL('./control-plane.yaml', import.meta.url))
const DELIVERIES = 6000
/** Larder's limit of concurrent requests per host. */
const CONCURRENCY = 4
const SESSIONS_A_SECOND = 500
const SECONDS = 10
/** Targets: the rate, divided by that of the comparison; the longest time without a webhook. */
const MIN_RATIO = 0.6
const MAX_PAUSE_MS = 1000
type Receiver = Child<{ url: string }>

export async function webhooks(environment: BenchEnvironment): Promise<Row[]> {
  const receiver = await child<{ url: string }>('./receiver.js', [])
  const start = (role: string) =>
    child<{ url: string }>(
      './larder-server.js',
      [role, `${environment.folder}/webhooks-${role}.log`, RECIPE],
      environment.env,
    )
  const web = await start('web')
  try {
    const account = { email: `hooks-${Date.now()}@example.test`, password: 'correct horse battery staple' }
    const me = await post<Account>(`${web.ready.url}/v1/auth/register`, account)
    // Otherwise, the measured worker would also render the email of the registration.
    const mailer = await start('worker')
    await untilIdle(environment)
    await mailer.stop()
    const limit = await plain(receiver)
    await insertEvents(environment, me.workspace.id, receiver.ready.url)
    const worker = await start('worker')
    try {
      const rates = await drained(receiver, worker)
      return [rateRow(rates, limit), await ageRow(web, receiver, me.token)]
    } finally {
      await worker.stop()
    }
  } finally {
    await Promise.all([web.stop(), receiver.stop()])
  }
}

interface Account {
  readonly token: string
  readonly workspace: { readonly id: string }
}

async function untilIdle({ query, larderUrl }: BenchEnvironment): Promise<void> {
  for (;;) {
    const { rows } = await query(
      larderUrl,
      `select exists (select 1 from larder_events where dispatched_at is null)
         or exists (select 1 from larder_jobs where state = 'running' or (state = 'waiting' and run_at <= now())) as busy`,
    )
    if (!rows[0].busy) return
    await new Promise(resolve => setTimeout(resolve, 100))
  }
}

function requestReport(receiver: Receiver, command: 'look' | 'reset'): Promise<ReceiverReport> {
  return new Promise(resolve => {
    receiver.process.once('message', report => resolve(report as ReceiverReport))
    receiver.process.send(command)
  })
}

async function until(receiver: Receiver, count: number, seconds = 120): Promise<ReceiverReport> {
  const deadline = performance.now() + seconds * 1000
  for (;;) {
    const report = await requestReport(receiver, 'look')
    if (report.ages.length >= count) return requestReport(receiver, 'reset')
    if (performance.now() > deadline) throw new Error(`${report.ages.length} of ${count} webhooks arrived`)
    await new Promise(resolve => setTimeout(resolve, 50))
  }
}

const noticeOf = (id: string, url: string) => ({
  ...{ session_id: id, code: 'K7M-2QX-9TB', status: 'created', mode: 'screenshare', stream_profile: 'balanced' },
  ...{ audio_enabled: true, customer: null, purpose: null, metadata: {}, end_reason: null, sequence: 1 },
  webhook: { url, events: ['session.created'] },
})

/** Inserts directly into the outbox, like that many committed sessions. */
async function insertEvents(environment: BenchEnvironment, tenantId: string, url: string): Promise<void> {
  const ids = Array.from({ length: DELIVERIES }, () => newId('evt'))
  const payloads = ids.map(() => JSON.stringify(noticeOf(newId('ses'), url)))
  await environment.query(
    environment.larderUrl,
    `insert into larder_events (id, type, version, tenant_id, occurred_at, actor, payload)
     select id, 'sessions.session.created', 1, $1, now(), '{"kind":"system","id":"bench"}', payload::jsonb
     from unnest($2::text[], $3::text[]) as e (id, payload)`,
    [tenantId, ids, payloads],
  )
}

interface Rate {
  readonly perSecond: number
  /** Per CPU second of the sender. */
  readonly perCore: number
  /** The longest time without a webhook, in milliseconds. */
  readonly pause: number
}

async function drained(receiver: Receiver, worker: Child<unknown>): Promise<Rate> {
  const pid = worker.process.pid as number
  const { span, pause } = await until(receiver, DELIVERIES)
  return { perSecond: (DELIVERIES / span) * 1000, perCore: DELIVERIES / (await cpuSeconds(pid)), pause }
}

/** The comparison: signed requests over as many kept-alive connections, with nothing stored. */
async function plain(receiver: Receiver): Promise<number> {
  const agent = new Agent({ keepAlive: true, maxSockets: CONCURRENCY })
  const send = async () => {
    const id = newId('msg')
    const body = JSON.stringify({ id, ...noticeOf(newId('ses'), ''), occurred_at: new Date().toISOString() })
    const signature = createHmac('sha256', 'key').update(`${id}.${body}`).digest('base64')
    const headers = { 'content-type': 'application/json', 'webhook-id': id, 'webhook-signature': `v1,${signature}` }
    await new Promise<void>((resolve, reject) => {
      const sent = request(receiver.ready.url, { method: 'POST', agent, headers }, response => {
        response.resume().on('end', resolve)
      })
      sent.on('error', reject).end(body)
    })
  }
  await mapConcurrently(DELIVERIES, send, CONCURRENCY)
  agent.destroy()
  const { span } = await requestReport(receiver, 'reset')
  return (DELIVERIES / span) * 1000
}

const per = (value: number) => `${Math.round(value).toLocaleString('en')}/s`

const rateRow = ({ perSecond, perCore, pause }: Rate, limit: number): Row => ({
  what: 'webhooks delivered by one worker to one local receiver, from the outbox on',
  measured: `**${(perSecond / limit).toFixed(2)}** (${per(perSecond)}; ${per(perCore)} per CPU second; longest pause ${Math.round(pause)} ms)`,
  against: `node:http alone, signed, ${CONCURRENCY} concurrent, nothing stored: ${per(limit)}`,
  aim: `≥ ${MIN_RATIO}, no pause over ${MAX_PAUSE_MS / 1000} s`,
})

async function ageRow(web: Child<{ url: string }>, receiver: Receiver, token: string): Promise<Row> {
  const load = (duration: number) =>
    autocannon({
      url: `${web.ready.url}/v1/sessions`,
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
      body: JSON.stringify({ mode: 'screenshare', webhook_url: receiver.ready.url }),
      connections: 25,
      overallRate: SESSIONS_A_SECOND,
      duration,
    })
  const warm = await load(2)
  await until(receiver, warm['2xx'])
  const { '2xx': made, requests } = await load(SECONDS)
  const { ages, again } = await until(receiver, made)
  const ms = (share: number) => `${percentile(ages, share).toFixed(0)} ms`
  return {
    what: `first webhook attempt, from the commit of its session, at ${per(requests.average).replace('/s', ' sessions/s')}`,
    measured: `p50 ${ms(0.5)}, **p99 ${ms(0.99)}** (${ages.length} received, ${again} duplicates)`,
    against: '–',
    aim: 'p99 < 1 s',
  }
}
