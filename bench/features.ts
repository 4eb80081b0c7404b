/** Evaluation of 50 flags in one request, compared with Express 5 sending the same JSON, and propagation of a change. */
import { writeFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import autocannon from 'autocannon'
import type { BenchEnvironment } from './fixtures.ts'
import { child, median, percentile, type Row } from './measure.ts'

const FLAGS = 50
const ROUNDS = 5
const SECONDS = 3
const CONNECTIONS = 32
const CHANGES = 200
const RECIPE = fileURLToPath(new URL('./features.yaml', import.meta.url))
const PASSWORD = 'correct horse battery staple'

interface Load {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
  /** Replaces `[<id>]` in the body with a new value for each request. */
  readonly different?: boolean
}

export async function features(environment: BenchEnvironment): Promise<Row[]> {
  const web = (name: string) =>
    child<{ url: string }>('./larder-server.js', ['web', `${environment.folder}/${name}.log`, RECIPE], environment.env)
  const [one, two] = [await web('flags-one'), await web('flags-two')]
  try {
    const headers = await fill(one.ready.url)
    const url = `${one.ready.url}/v1/features/ofrep/v1/evaluate/flags`
    const same: Load = { url, headers, body: evaluationBody('user-1') }
    const different: Load = { url, headers, body: evaluationBody('[<id>]'), different: true }
    const answer = await (await fetch(url, { method: 'POST', headers, body: same.body })).text()
    await writeFile(`${environment.folder}/flags.json`, answer)
    const express = await child<{ port: number }>('./express-json.js', [`${environment.folder}/flags.json`])
    try {
      const bare: Load = { ...same, url: `http://127.0.0.1:${express.ready.port}/` }
      const size = `${(answer.length / 1024).toFixed(1)} KiB`
      return [
        await compare(`${FLAGS} flags in one request (${size}), same context`, same, bare),
        await compare(`${FLAGS} flags in one request, new context each time`, different, bare),
        await measurePropagation(one.ready.url, two.ready.url, headers),
      ]
    } finally {
      await express.stop()
    }
  } finally {
    await Promise.all([one.stop(), two.stop()])
  }
}

const evaluationBody = (targetingKey: string) =>
  JSON.stringify({ context: { targetingKey, country: 'DE', version: '2.10.3', beta: true } })

/** Registers a user and creates flags of every kind. */
async function fill(url: string): Promise<Record<string, string>> {
  const json = { 'content-type': 'application/json' }
  const account = JSON.stringify({ email: `flags-${Date.now()}@example.test`, password: PASSWORD })
  const registered = await fetch(`${url}/v1/auth/register`, { method: 'POST', headers: json, body: account })
  const { token } = (await registered.json()) as { token: string }
  const headers = { ...json, authorization: `Bearer ${token}` }
  const kinds = [
    { default: false },
    { default: false, bucketBy: 'targetingKey', rules: [{ rollout: 50, value: true }] },
    { default: 'light', rules: [{ when: { country: { in: ['DE', 'AT', 'CH'] } }, value: 'dark' }] },
    { default: 10, rules: [{ when: { version: { semverGte: '2.0.0' }, beta: true }, value: 20 }] },
    { default: { columns: 1 }, rules: [{ when: { roles: 'tenant.owner' }, rollout: 20, value: { columns: 2 } }] },
  ]
  for (let n = 0; n < FLAGS; n++) {
    const body = JSON.stringify({ key: `flag-${n}`, ...kinds[n % kinds.length] })
    const made = await fetch(`${url}/v1/features`, { method: 'POST', headers, body })
    if (made.status !== 201) throw new Error(`creating a flag returned ${made.status}: ${await made.text()}`)
  }
  return headers
}

async function load({ url, headers, body, different = false }: Load, duration: number, overallRate?: number) {
  const result = await autocannon({
    url,
    method: 'POST',
    headers: { ...headers },
    body,
    duration,
    connections: CONNECTIONS,
    idReplacement: different,
    ...(overallRate && { overallRate }),
  })
  if (result.non2xx + result.errors > 0) throw new Error(`${url}: ${JSON.stringify(result.statusCodeStats)}`)
  return { rate: result.requests.average, p99: result.latency.p99 }
}

/** Alternates, so that other load of the machine affects both. */
async function compare(what: string, larder: Load, bare: Load): Promise<Row> {
  const [ours, theirs]: [number[], number[]] = [[], []]
  for (const target of [larder, bare]) await load(target, 2)
  for (let round = 0; round < ROUNDS; round++) {
    ours.push((await load(larder, SECONDS)).rate)
    theirs.push((await load(bare, SECONDS)).rate)
  }
  const [mine, other] = [median(ours), median(theirs)]
  const half = await load(larder, SECONDS, Math.round(mine / 2))
  const per = (rate: number) => `${Math.round(rate).toLocaleString('en')}/s`
  return {
    what,
    measured: `**${(mine / other).toFixed(2)}** (${per(mine)}), p99 ${half.p99} ms at half load`,
    against: `Express 5 parsing JSON and sending the same response: ${per(other)}`,
    aim: '≥ 1.2, p99 < 10 ms',
  }
}

/** Time from sending a change to one process until another one returns the new value. */
async function measurePropagation(one: string, two: string, headers: Record<string, string>): Promise<Row> {
  const durations: number[] = []
  for (let n = 0; n < CHANGES; n++) {
    const began = performance.now()
    const body = JSON.stringify({ default: n % 2 === 0 })
    const changed = fetch(`${one}/v1/features/flag-0`, { method: 'PATCH', headers, body })
    for (;;) {
      const response = await fetch(`${two}/v1/features/flag-0/evaluate`, { headers })
      if (((await response.json()) as { value: boolean }).value === (n % 2 === 0)) break
    }
    durations.push(performance.now() - began)
    if ((await changed).status !== 200) throw new Error(`changing a flag returned ${(await changed).status}`)
  }
  return {
    what: 'flag change, from the request until another process returns the new value',
    measured: `p50 ${percentile(durations, 0.5).toFixed(1)} ms, **p95 ${percentile(durations, 0.95).toFixed(1)} ms**`,
    against: '–',
    aim: 'p95 < 100 ms',
  }
}
