/** Form submissions over HTTP, compared with the same work in one statement over `node:http`. */
import { fileURLToPath } from 'node:url'
import autocannon from 'autocannon'
import type { BenchEnvironment } from './fixtures.ts'
import { child, median, type Row } from './measure.ts'

const ROUNDS = 9
const SECONDS = 2
const CONNECTIONS = 32
const RECIPE = fileURLToPath(new URL('./forms.yaml', import.meta.url))
const JSON_TYPE = { 'content-type': 'application/json' }
const SCHEMA = {
  type: 'object',
  required: ['email', 'message'],
  additionalProperties: false,
  properties: {
    email: { type: 'string', format: 'email' },
    topic: { enum: ['sales', 'support'] },
    message: { type: 'string', maxLength: 1000 },
  },
}
/** `[<id>]` is replaced with a new value for each request, because an equal entry would count as spam. */
const ENTRY = JSON.stringify({
  data: { email: 'ada@example.test', topic: 'sales', message: `Please call me back about [<id>]. ${'x'.repeat(200)}` },
})

interface Target {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
}
interface Load {
  readonly rate: number
  readonly p99: number
}

export async function forms(environment: BenchEnvironment): Promise<Row[]> {
  await environment.query(
    environment.rawUrl,
    `create table raw_forms (id text primary key, tenant_id text not null);
     insert into raw_forms values ('frm_1', 'ten_1');
     create table raw_submissions (id text primary key, tenant_id text not null, form_id text not null, data jsonb not null,
      created_at timestamptz not null default now())`,
  )
  const raw = await child<{ port: number }>('./raw-forms.js', [environment.rawUrl])
  const larder = await child<{ url: string }>(
    './larder-server.js',
    ['web', `${environment.folder}/forms.log`, RECIPE],
    environment.env,
  )
  try {
    const bare: Target = { url: `http://127.0.0.1:${raw.ready.port}/`, headers: JSON_TYPE }
    const { url, token } = await publicForm(larder.ready.url)
    const member: Target = { url, headers: { ...JSON_TYPE, authorization: `Bearer ${token}` } }
    return [
      await against('submit a form, anonymous', bare, { url, headers: JSON_TYPE }),
      await against('submit a form, as a member', bare, member),
    ]
  } finally {
    await Promise.all([raw.stop(), larder.stop()])
  }
}

async function publicForm(base: string): Promise<{ url: string; token: string }> {
  const account = { email: `forms-${Date.now()}@example.test`, password: 'correct horse battery staple' }
  const { token } = await post<{ token: string }>(`${base}/v1/auth/register`, account)
  const form = { name: 'Contact', access: 'public', schema: SCHEMA }
  const { id } = await post<{ id: string }>(`${base}/v1/forms`, form, { authorization: `Bearer ${token}` })
  return { url: `${base}/v1/forms/${id}/submit`, token }
}

async function against(what: string, raw: Target, larder: Target): Promise<Row> {
  const seen: { readonly theirs: Load; readonly ours: Load }[] = []
  for (const target of [raw, larder]) await load(target, 1)
  for (let round = 0; round < ROUNDS; round++)
    seen.push({ theirs: await load(raw, SECONDS), ours: await load(larder, SECONDS) })
  const of = (pick: (round: (typeof seen)[number]) => number) => median(seen.map(pick))
  const per = (rate: number) => `${Math.round(rate).toLocaleString('en')}/s`
  // Alternates, so that other load of the machine affects both.
  const share = of(({ ours, theirs }) => ours.rate / theirs.rate)
  return {
    what,
    measured: `**${share.toFixed(2)}** (${per(of(({ ours }) => ours.rate))}, p99 ${of(({ ours }) => ours.p99)} ms)`,
    against: `node:http + pg, one statement, no validation ${per(of(({ theirs }) => theirs.rate))}`,
    aim: '≥ 0.8',
  }
}

async function load({ url, headers }: Target, duration: number): Promise<Load> {
  const result = await autocannon({
    ...{ url, method: 'POST', headers: { ...headers }, body: ENTRY, idReplacement: true },
    ...{ duration, connections: CONNECTIONS },
  })
  const refused = result.non2xx + result.errors
  if (refused > 0)
    throw new Error(`POST ${url}: ${refused} responses were not 2xx: ${JSON.stringify(result.statusCodeStats)}`)
  return { rate: result.requests.average, p99: result.latency.p99 }
}

async function post<T>(url: string, body: object, headers: Readonly<Record<string, string>> = {}): Promise<T> {
  const response = await fetch(url, {
    method: 'POST',
    headers: { ...JSON_TYPE, ...headers },
    body: JSON.stringify(body),
  })
  if (!response.ok) throw new Error(`POST ${url} returned ${response.status}: ${await response.text()}`)
  return (await response.json()) as T
}
