/** The worked example of docs/sizing.md: what the costs of the parts say about a load, beside what the load takes. */
import { randomBytes } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import type { WebSocket } from 'ws'
import { PASSWORD, register } from './fixtures.ts'
import { mapConcurrently, percentile, send, WRITE_CONCURRENCY } from './measure.ts'

const PEOPLE = 200
const SOCKETS = 100
const SECONDS = 60
/** Requests per second: those of the example, and ten times as many. */
const RATES = [20, 200]

/** Milliseconds per unit. */
export interface Cpu {
  readonly web: number
  readonly worker: number
  readonly postgres: number
}
/** What the example needs of the measurement of sizes. */
export interface Measurement {
  readonly url: string
  /** What one thing costs, by its name in the table. */
  costOf(what: string): Cpu
  /** CPU seconds of the work, without those of an idle installation. */
  cpuOf(work: () => Promise<unknown>): Promise<Cpu>
  /** Resolves when all that follows from rows is done. */
  untilQuiet(): Promise<void>
  subscribe(headers: Readonly<Record<string, string>>): Promise<WebSocket>
}
interface Person {
  readonly email: string
  readonly headers: Readonly<Record<string, string>>
  /** A row of theirs. */
  readonly row: string
}
interface Request {
  /** Names of the table: the request, and what follows from it. */
  readonly costs: readonly string[]
  send(url: string, person: Person): Promise<unknown>
}

const get = (costs: Request['costs'], path: (person: Person) => string): Request => ({
  costs,
  async send(url, person) {
    const response = await fetch(url + path(person), { headers: person.headers })
    await response.arrayBuffer()
    if (!response.ok) throw new Error(`GET ${path(person)} returned ${response.status}`)
  },
})
const create = (collection: string, costs: readonly string[]): Request => ({
  costs: ['create a row, with its event', ...costs],
  send: (url, { headers }) => {
    const row = { title: 'A row', email: `reader-${randomBytes(6).toString('hex')}@example.test` }
    return send('POST', `${url}/v1/data/${collection}`, row, headers)
  },
})
const list = get(['list 20 rows'], () => '/v1/data/quiet?limit=20')
const read = get(['get a row'], ({ row }) => `/v1/data/quiet/${row}`)
const change: Request = {
  costs: ['change a row'],
  send: (url, { headers, row }) => send('PATCH', `${url}/v1/data/quiet/${row}`, { count: 1 }, headers),
}
const signIn: Request = {
  costs: ['sign in with a password'],
  send: (url, { email }) => send('POST', `${url}/v1/auth/login`, { email, password: PASSWORD }),
}
/** Twenty requests, in this order again and again. */
const MIX: readonly Request[] = [
  list,
  read,
  change,
  list,
  read,
  list,
  read,
  create('quiet', []),
  list,
  read,
  list,
  read,
  change,
  list,
  create('hooked', ['a webhook']),
  list,
  read,
  list,
  signIn,
  create('mailed', ['an automation that sends a mail, kept in the mailbox']),
]

/** Returns a Markdown table of CPU in milliseconds per second. */
export async function measureExample(measurement: Measurement): Promise<string> {
  const { url, subscribe, untilQuiet } = measurement
  const people = await mapConcurrently(PEOPLE, () => createPerson(url), WRITE_CONCURRENCY)
  const sockets = await mapConcurrently(SOCKETS, index => subscribe((people[index] as Person).headers))
  await untilQuiet()
  const rows: string[] = []
  for (const rate of RATES) rows.push(...(await measureRate(measurement, people, rate)))
  for (const socket of sockets) socket.terminate()
  return [
    `${PEOPLE} people, each in a workspace of their own, ${SOCKETS} sockets, ${SECONDS} s:`,
    '',
    '| CPU in each second | Web | Worker | PostgreSQL |',
    '|---|---|---|---|',
    ...rows,
  ].join('\n')
}

async function createPerson(url: string): Promise<Person> {
  const email = `example-${randomBytes(6).toString('hex')}@example.test`
  const headers = await register(url, email)
  const { id } = await send<{ id: string }>('POST', `${url}/v1/data/quiet`, { title: 'A row' }, headers)
  return { email, headers, row: id }
}

async function measureRate(
  { url, costOf, cpuOf, untilQuiet }: Measurement,
  people: readonly Person[],
  rate: number,
): Promise<string[]> {
  const times: number[] = []
  let failed = 0
  const measured = await cpuOf(async () => {
    await atRate(rate, async index => {
      const started = performance.now()
      try {
        await MIX[index % MIX.length]?.send(url, people[(index * 7) % PEOPLE] as Person)
        times.push(performance.now() - started)
      } catch (error) {
        console.error(error)
        failed++
      }
    })
    await untilQuiet()
  })
  const computed = (side: keyof Cpu) => {
    const mix = MIX.flatMap(({ costs }) => costs).reduce((sum, what) => sum + costOf(what)[side], 0)
    const socketHour = costOf('an hour of an open socket with a subscription')[side]
    return (mix / MIX.length) * rate + (socketHour * SOCKETS) / 3600
  }
  const sides = ['web', 'worker', 'postgres'] as const
  const row = (what: string, of: (side: keyof Cpu) => string) => `| ${what} | ${sides.map(of).join(' | ')} |`
  const perSecond = (side: keyof Cpu) => (measured[side] * 1000) / SECONDS
  return [
    row(`${rate} requests per second, computed`, side => `${computed(side).toFixed(1)} ms`),
    row(
      `measured (p50 ${percentile(times, 0.5).toFixed(1)} ms, p99 ${percentile(times, 0.99).toFixed(1)} ms, ${failed} failed)`,
      side => `${perSecond(side).toFixed(1)} ms`,
    ),
    row('measured ÷ computed', side => (perSecond(side) / computed(side)).toFixed(2)),
  ]
}

/** Begins requests at even intervals, whether or not those before have ended. */
async function atRate(rate: number, work: (index: number) => Promise<void>): Promise<void> {
  const started = performance.now()
  const all: Promise<void>[] = []
  for (let index = 0; index < rate * SECONDS; index++) {
    const wait = started + (index * 1000) / rate - performance.now()
    if (wait > 1) await pause(wait)
    all.push(work(index))
  }
  await Promise.all(all)
}
