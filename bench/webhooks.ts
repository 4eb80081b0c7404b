/** Webhooks: how many a worker delivers, and how soon the first attempt comes while sessions are created. */

import { createHmac } from 'node:crypto'
import { Agent, request } from 'node:http'
import { fileURLToPath } from 'node:url'
import autocannon from 'autocannon'
import { newId } from '../kernel/base/index.ts'
import { cpuSeconds } from './cpu.ts'
import type { Stage } from './fixtures.ts'
import { type Child, child, percentile, type Row } from './measure.ts'
import { each, post } from './peers.ts'
import type { Taken } from './receiver.ts'

const RECIPE = fileURLToPath(new URL('./control-plane.yaml', import.meta.url))
const DELIVERIES = 6000
/** Requests that Larder has under way to one host. */
const AT_ONCE = 4
const SESSIONS_A_SECOND = 500
const SECONDS = 10
type Receiver = Child<{ url: string }>

export async function webhooks(stage: Stage): Promise<Row[]> {
  const receiver = await child<{ url: string }>('./receiver.js', [])
  const start = (role: string) =>
    child<{ url: string }>('./larder-server.js', [role, `${stage.folder}/webhooks-${role}.log`, RECIPE], stage.env)
  const web = await start('web')
  try {
    const account = { email: `hooks-${Date.now()}@example.test`, password: 'correct horse battery staple' }
    const me = await post<Account>(`${web.ready.url}/v1/auth/register`, account)
    const limit = await plain(receiver)
    await announce(stage, me.workspace.id, receiver.ready.url)
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

function ask(receiver: Receiver, word: 'look' | 'reset'): Promise<Taken> {
  return new Promise(resolve => {
    receiver.process.once('message', taken => resolve(taken as Taken))
    receiver.process.send(word)
  })
}

async function until(receiver: Receiver, count: number, seconds = 120): Promise<Taken> {
  const deadline = performance.now() + seconds * 1000
  for (;;) {
    const taken = await ask(receiver, 'look')
    if (taken.ages.length >= count) return ask(receiver, 'reset')
    if (performance.now() > deadline) throw new Error(`${taken.ages.length} of ${count} webhooks came`)
    await new Promise(resolve => setTimeout(resolve, 50))
  }
}

const noticeOf = (id: string, url: string) => ({
  ...{ session_id: id, code: 'K7M-2QX-9TB', status: 'created', mode: 'screenshare', stream_profile: 'balanced' },
  ...{ audio_enabled: true, customer: null, purpose: null, metadata: {}, end_reason: null, sequence: 1 },
  webhook: { url, events: ['session.created'] },
})

/** Straight into the outbox, as that many committed sessions would leave it. */
async function announce(stage: Stage, tenantId: string, url: string): Promise<void> {
  const ids = Array.from({ length: DELIVERIES }, () => newId('evt'))
  const payloads = ids.map(() => JSON.stringify(noticeOf(newId('ses'), url)))
  await stage.query(
    stage.larderUrl,
    `insert into larder_events (id, type, version, tenant_id, occurred_at, actor, payload)
     select id, 'sessions.session.created', 1, $1, now(), '{"kind":"system","id":"bench"}', payload::jsonb
     from unnest($2::text[], $3::text[]) as e (id, payload)`,
    [tenantId, ids, payloads],
  )
}

interface Rate {
  readonly perSecond: number
  /** Of one processor, the sender's own. */
  readonly perCore: number
}

async function drained(receiver: Receiver, worker: Child<unknown>): Promise<Rate> {
  const pid = worker.process.pid as number
  const { span } = await until(receiver, DELIVERIES)
  return { perSecond: (DELIVERIES / span) * 1000, perCore: DELIVERIES / (await cpuSeconds(pid)) }
}

/** The limit: signed requests over as many kept connections, with nothing written down. */
async function plain(receiver: Receiver): Promise<number> {
  const agent = new Agent({ keepAlive: true, maxSockets: AT_ONCE })
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
  await each(DELIVERIES, send, AT_ONCE)
  agent.destroy()
  const { span } = await ask(receiver, 'reset')
  return (DELIVERIES / span) * 1000
}

const per = (value: number) => `${Math.round(value).toLocaleString('en')}/s`

const rateRow = ({ perSecond, perCore }: Rate, limit: number): Row => ({
  what: 'webhooks that a worker delivers to one local receiver, from the outbox on',
  measured: `**${per(perSecond)}** (${per(perCore)} of one processor)`,
  against: `node:http alone, signed, ${AT_ONCE} at once, nothing written down: ${per(limit)}`,
  aim: '–',
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
    what: `first attempt of a webhook, from the commit of its session, at ${per(requests.average)} sessions`,
    measured: `p50 ${ms(0.5)}, **p99 ${ms(0.99)}** (${ages.length} came, ${again} twice)`,
    against: '–',
    aim: 'p99 < 1 s',
  }
}
