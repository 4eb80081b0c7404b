/** Creating, reading and joining sessions over HTTP, compared with the same work in one statement over `node:http`. */

import type { BenchEnvironment } from './fixtures.ts'
import { child, measureInTurns, type Rate, type Row, type Target } from './measure.ts'

const ROUNDS = 5
const SECONDS = 3
const BODY = JSON.stringify({ mode: 'screenshare', purpose: 'support', metadata: { ticket: '4711' } })
const JSON_TYPE = { 'content-type': 'application/json' }

interface Created {
  id: string
  join_token: string
}

export async function sessions(environment: BenchEnvironment): Promise<Row[]> {
  await environment.query(
    environment.rawUrl,
    `create table if not exists raw_sessions (id text primary key, tenant_id text not null, code text not null unique, token_hash text not null unique,
      mode text not null, stream_profile text not null default 'balanced', audio_enabled boolean not null default true,
      purpose text, customer text, metadata jsonb not null, status text not null default 'created',
      created_at timestamptz not null default now(), expires_at timestamptz not null default now() + interval '1 hour')`,
  )
  const raw = await child<{ port: number }>('./raw-sessions.js', [environment.rawUrl])
  const larder = await child<{ url: string }>(
    './larder-server.js',
    ['web', `${environment.folder}/sessions.log`],
    environment.env,
  )
  try {
    const rawBase = `http://127.0.0.1:${raw.ready.port}`
    const base = larder.ready.url
    const account = { email: `sessions-${Date.now()}@example.test`, password: 'correct horse battery staple' }
    const { token } = await post<{ token: string }>(`${base}/v1/auth/register`, account)
    const headers = { authorization: `Bearer ${token}` }
    const rawHeaders = { authorization: `Bearer ${environment.rawToken}` }
    const mine = await post<Created>(`${base}/v1/sessions`, JSON.parse(BODY), headers)
    const theirs = await post<Created>(`${rawBase}/v1/sessions`, JSON.parse(BODY), rawHeaders)

    const create = { method: 'POST', body: BODY } as const
    const join = (session: Created) =>
      ({ method: 'POST', body: JSON.stringify({ join_token: session.join_token }) }) as const
    const pair = (path: (s: Created) => string, more: (s: Created) => Partial<Target> = () => ({})): Target[] => [
      { name: 'raw', url: rawBase + path(theirs), headers: { ...JSON_TYPE, ...rawHeaders }, ...more(theirs) },
      { name: 'larder', url: base + path(mine), headers: { ...JSON_TYPE, ...headers }, ...more(mine) },
    ]
    return [
      row(
        'create a session',
        await measureInTurns(
          pair(
            () => '/v1/sessions',
            () => create,
          ),
          ROUNDS,
          SECONDS,
        ),
      ),
      row(
        'get a session',
        await measureInTurns(
          pair(s => `/v1/sessions/${s.id}`),
          ROUNDS,
          SECONDS,
        ),
      ),
      row(
        'join with a token',
        await measureInTurns(
          pair(() => '/v1/join', join),
          ROUNDS,
          SECONDS,
        ),
      ),
    ]
  } finally {
    await Promise.all([raw.stop(), larder.stop()])
  }
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

function row(what: string, [raw, larder]: readonly Rate[]): Row {
  if (!raw || !larder) throw new Error('expected two targets')
  const per = (rate: Rate) => `${Math.round(rate.median).toLocaleString('en')}/s`
  return {
    what,
    measured: `**${(larder.median / raw.median).toFixed(2)}** (${per(larder)}, p99 ${larder.p99} ms)`,
    against: `node:http + pg, one statement ${per(raw)}`,
    aim: '≥ 0.8',
  }
}
