/** Messages over HTTP, compared with one INSERT over `node:http`, and fan-out to 200 sockets. */
import { fileURLToPath } from 'node:url'
import autocannon from 'autocannon'
import { WebSocket } from 'ws'
import type { BenchEnvironment } from './fixtures.ts'
import { child, median, percentile, type Row } from './measure.ts'

const ROUNDS = 5
const SECONDS = 3
const CONNECTIONS = 32
/** Posts rotate through these conversations. */
const CONVERSATIONS = 64
const SOCKETS = 200
/** Messages of the fan-out, and milliseconds between two of them. */
const MESSAGES = 100
const PAUSE_MS = 50
const RECIPE = fileURLToPath(new URL('./messaging.yaml', import.meta.url))
const BODY = JSON.stringify({ body: 'x'.repeat(200) })
const JSON_TYPE = { 'content-type': 'application/json' }

interface Caller {
  readonly base: string
  readonly tenantId: string
  readonly token: string
}

export async function messaging(environment: BenchEnvironment): Promise<Row[]> {
  await environment.query(
    environment.rawUrl,
    `create table if not exists raw_messages (id text primary key, conversation_id text not null,
      seq bigint generated always as identity, sender_id text not null, body text not null, attachments jsonb not null,
      created_at timestamptz not null default now(), unique (conversation_id, seq))`,
  )
  const raw = await child<{ port: number }>('./raw-messages.js', [environment.rawUrl])
  const larder = await child<{ url: string }>(
    './larder-server.js',
    ['web', `${environment.folder}/messages.log`, RECIPE],
    environment.env,
  )
  try {
    const caller = await signUp(larder.ready.url)
    const ids: string[] = []
    for (let n = 0; n < CONVERSATIONS; n++) ids.push(await createConversation(caller))
    const headers = { ...JSON_TYPE, authorization: `Bearer ${caller.token}` }
    const rawBase = `http://127.0.0.1:${raw.ready.port}`
    const pair = (to: readonly string[]) => [
      { url: rawBase, headers: JSON_TYPE, ids: to },
      { url: caller.base, headers, ids: to },
    ]
    const spread = await inTurns(pair(ids))
    const [only = ''] = ids
    const one = await inTurns(pair([only]))
    return [
      row(`post a message, ${CONVERSATIONS} conversations`, spread, '≥ 0.5'),
      row('post a message, all in one conversation', one, '–'),
      await fanOut(caller, only),
    ]
  } finally {
    await Promise.all([raw.stop(), larder.stop()])
  }
}

interface LoadTarget {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly ids: readonly string[]
}
interface Load {
  readonly rate: number
  readonly p99: number
}

/** Alternates between the targets, so that other load of the machine affects all of them. */
async function inTurns(targets: readonly LoadTarget[]): Promise<Load[]> {
  for (const target of targets) await load(target, 1)
  const rounds: Load[][] = []
  for (let round = 0; round < ROUNDS; round++) {
    const seen: Load[] = []
    for (const target of targets) seen.push(await load(target, SECONDS))
    rounds.push(seen)
  }
  return targets.map((_, index) => ({
    rate: median(rounds.map(seen => seen[index]?.rate ?? Number.NaN)),
    p99: median(rounds.map(seen => seen[index]?.p99 ?? Number.NaN)),
  }))
}

async function load({ url, headers, ids }: LoadTarget, duration: number): Promise<Load> {
  const requests = ids.map(id => ({
    method: 'POST' as const,
    path: `/v1/messaging/conversations/${id}/messages`,
    headers: { ...headers },
    body: BODY,
  }))
  const result = await autocannon({ url, connections: CONNECTIONS, duration, requests })
  if (result.non2xx + result.errors > 0)
    throw new Error(`${url}: responses other than 2xx: ${JSON.stringify(result.statusCodeStats)}`)
  return { rate: result.requests.average, p99: result.latency.p99 }
}

/** From before the POST until each socket has the frame. */
async function fanOut(caller: Caller, conversationId: string): Promise<Row> {
  const sent = new Map<string, number>()
  const times: number[] = []
  const onFrame = (text: string) => {
    const now = performance.now()
    const { type, data } = JSON.parse(text) as { type: string; data: { body?: string } }
    const at = type === 'message.created' ? sent.get(data.body ?? '') : undefined
    if (at !== undefined) times.push(now - at)
  }
  const sockets = await Promise.all(Array.from({ length: SOCKETS }, () => dial(caller, onFrame)))
  for (let n = 0; n < MESSAGES; n++) {
    sent.set(`message ${n}`, performance.now())
    await post(caller, `/v1/messaging/conversations/${conversationId}/messages`, { body: `message ${n}` })
    await new Promise(resolve => setTimeout(resolve, PAUSE_MS))
  }
  const deadline = performance.now() + 5000
  while (times.length < SOCKETS * MESSAGES && performance.now() < deadline) await new Promise(r => setTimeout(r, 10))
  for (const socket of sockets) socket.terminate()
  if (times.length < SOCKETS * MESSAGES) throw new Error(`${times.length} of ${SOCKETS * MESSAGES} frames arrived`)
  const ms = (share: number) => `${percentile(times, share).toFixed(1)} ms`
  return {
    what: `message fan-out to ${SOCKETS} sockets, from before the POST`,
    measured: `p50 ${ms(0.5)}, **p99 ${ms(0.99)}**`,
    against: '–',
    aim: 'p99 < 50 ms',
  }
}

async function dial({ base, tenantId, token }: Caller, onFrame: (text: string) => void): Promise<WebSocket> {
  const socket = new WebSocket(`${base.replace(/^http/, 'ws')}/v1/messaging/realtime`)
  await new Promise((resolve, reject) => socket.once('open', resolve).once('error', reject))
  const ready = new Promise<void>(resolve =>
    socket.on('message', data => {
      const text = String(data)
      if (text.startsWith('{"type":"unread"')) resolve()
      onFrame(text)
    }),
  )
  socket.send(JSON.stringify({ type: 'hello', data: { tenantId, token } }))
  await ready
  return socket
}

async function signUp(base: string): Promise<Caller> {
  const account = { email: `messages-${Date.now()}@example.test`, password: 'correct horse battery staple' }
  const answer = await post<{ token: string; workspace: { id: string } }>({ base }, '/v1/auth/register', account)
  return { base, token: answer.token, tenantId: answer.workspace.id }
}
const createConversation = async (caller: Caller): Promise<string> =>
  (await post<{ id: string }>(caller, '/v1/messaging/conversations', { participantIds: [] })).id

async function post<T>({ base, token }: Partial<Caller>, path: string, body: object): Promise<T> {
  const headers = { ...JSON_TYPE, ...(token !== undefined && { authorization: `Bearer ${token}` }) }
  const response = await fetch(`${base}${path}`, { method: 'POST', headers, body: JSON.stringify(body) })
  if (!response.ok) throw new Error(`POST ${path} returned ${response.status}: ${await response.text()}`)
  return (await response.json()) as T
}

function row(what: string, [raw, larder]: readonly Load[], aim: string): Row {
  if (!raw || !larder) throw new Error('expected two targets')
  const per = ({ rate }: Load) => `${Math.round(rate).toLocaleString('en')}/s`
  return {
    what,
    measured: `**${(larder.rate / raw.rate).toFixed(2)}** (${per(larder)}, p99 ${larder.p99} ms)`,
    against: `node:http + pg, one INSERT, no authentication ${per(raw)}`,
    aim,
  }
}
