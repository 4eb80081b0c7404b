/**
 * What one request, socket, event, webhook, mail, step of an automation and idle workspace costs: CPU time of the web
 * process, of the worker and of PostgreSQL, memory, and disk. docs/sizing.md computes machines from it.
 */
import { readdir, readFile } from 'node:fs/promises'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { WebSocket } from 'ws'
import type { BenchEnvironment, LarderServer, Memory } from './fixtures.ts'
import { PASSWORD, register } from './fixtures.ts'
import { cpuSeconds, mapConcurrently, residentMiB, send, WRITE_CONCURRENCY } from './measure.ts'
import { type Cpu, measureExample } from './sizing-example.ts'

const RECIPE = 'sizing.yaml'
const READS = 4000
const WRITES = 1500
const SIGN_INS = 100
const WORKSPACES = 500
const SOCKETS = 1000
/** Opened beside the others, for their memory. */
const MORE_SOCKETS = 2000
const MESSAGES = 20
const IDLE_MS = 20_000
/** Limits of one person and one workspace, which has all sockets here. */
const UNLIMITED = [
  'REALTIME_SOCKETS_PER_PERSON',
  'REALTIME_SOCKETS_PER_WORKSPACE',
  'REALTIME_SUBSCRIPTIONS_PER_PERSON',
  'REALTIME_SUBSCRIPTIONS_PER_WORKSPACE',
]

interface Sides {
  readonly environment: BenchEnvironment
  readonly web: LarderServer
  readonly worker: LarderServer
  /** The process that starts those of the connections. */
  readonly postmaster: number
}
interface Line extends Partial<Cpu> {
  readonly what: string
  readonly size?: string
}

/** Returns two Markdown tables. */
export async function sizing(environment: BenchEnvironment): Promise<string> {
  const [checkout] = environment.checkouts
  if (!checkout) throw new Error('expected a checkout')
  const receiver = await startReceiver()
  process.env.BENCH_RECEIVER = `http://localhost:${(receiver.address() as AddressInfo).port}/`
  for (const name of UNLIMITED) process.env[name] = String(2 * (SOCKETS + MORE_SOCKETS))
  const web = await environment.start(checkout, 'web', RECIPE)
  const worker = await environment.start(checkout, 'worker', RECIPE)
  try {
    const postmaster = await postmasterOf(environment, web.databaseUrl)
    return await measure({ environment, web, worker, postmaster })
  } finally {
    await Promise.all([web.stop(), worker.stop()])
    receiver.closeAllConnections()
    receiver.close()
  }
}

async function measure(sides: Sides): Promise<string> {
  const { url } = sides.web.ready
  const email = 'sizing@example.test'
  const headers = await register(url, email)
  await createRows(sides, headers, 'quiet', WRITES)
  const idle = await idleCpu(sides)
  const requests = await measureRequests(sides, headers, email, idle)
  const consequences = await measureConsequences(sides, headers, idle)
  const sockets = await measureSockets(sides, headers, idle)
  const workspaces = await measureWorkspaces(sides, idle)
  const hour = 3600 * 1000
  const lines = [
    ...requests,
    ...consequences,
    ...sockets,
    ...workspaces,
    { what: 'an hour of an idle installation', ...times(idle, hour) },
    {
      what: 'a process, after all of this',
      size: `web ${(await residentMiB(sides.web.pid)).toFixed(0)} MiB, worker ${(await residentMiB(sides.worker.pid)).toFixed(0)} MiB`,
    },
  ]
  console.error(table(lines))
  const example = await measureExample({
    url,
    costOf(what) {
      const { web = 0, worker = 0, postgres = 0 } = lines.find(line => line.what === what) ?? fail(what)
      return { web, worker, postgres }
    },
    cpuOf: work => cpuOf(sides, idle, work),
    untilQuiet: () => untilQuiet(sides),
    subscribe: others => subscribe(socketUrl(sides), others, () => undefined),
  })
  return `${table(lines)}\n\n${example}`
}

const fail = (what: string): never => {
  throw new Error(`nothing is measured as '${what}'`)
}
const socketUrl = ({ web }: Sides): string => `${web.ready.url.replace(/^http/, 'ws')}/v1/realtime`

async function measureRequests(
  sides: Sides,
  headers: Readonly<Record<string, string>>,
  email: string,
  idle: Cpu,
): Promise<Line[]> {
  const { url } = sides.web.ready
  const { id } = await send<{ id: string }>('POST', `${url}/v1/data/quiet`, { title: 'A row' }, headers)
  const page = { slug: 'sizing', title: 'A page', body: 'A paragraph with *emphasis*. '.repeat(20) }
  const created = await send<{ id: string }>('POST', `${url}/v1/content/pages`, page, headers)
  await send('POST', `${url}/v1/content/pages/${created.id}/publish`, {}, headers)
  const get = (path: string) => async () => {
    const response = await fetch(url + path, { headers })
    await response.arrayBuffer()
    if (!response.ok) throw new Error(`GET ${path} returned ${response.status}`)
  }
  const per = async (what: string, count: number, work: (index: number) => Promise<unknown>): Promise<Line> => {
    await mapConcurrently(count / 4, work, WRITE_CONCURRENCY)
    return { what, ...each(await cpuOf(sides, idle, () => mapConcurrently(count, work, WRITE_CONCURRENCY)), count) }
  }
  return [
    await per('get a row', READS, get(`/v1/data/quiet/${id}`)),
    await per('list 20 rows', READS, get('/v1/data/quiet?limit=20')),
    await per('change a row', WRITES, index => send('PATCH', `${url}/v1/data/quiet/${id}`, { count: index }, headers)),
    await per('sign in with a password', SIGN_INS, () =>
      send('POST', `${url}/v1/auth/login`, { email, password: PASSWORD }),
    ),
  ]
}

/** What rows cause: the difference between collections is that of their consequences. */
async function measureConsequences(
  sides: Sides,
  headers: Readonly<Record<string, string>>,
  idle: Cpu,
): Promise<Line[]> {
  const of = async (collection: string) => {
    await createRows(sides, headers, collection, WRITES / 4)
    const before = await databaseBytes(sides)
    const cpu = each(await cpuOf(sides, idle, () => createRows(sides, headers, collection, WRITES)), WRITES)
    return { cpu, bytes: ((await databaseBytes(sides)) - before) / WRITES }
  }
  const quiet = await of('quiet')
  const hooked = await of('hooked')
  const one = await of('one_step')
  const five = await of('five_steps')
  const mailed = await of('mailed')
  const line = (what: string, more: typeof quiet, less?: typeof quiet, share = 1): Line => ({
    what,
    web: (more.cpu.web - (less?.cpu.web ?? 0)) / share,
    worker: (more.cpu.worker - (less?.cpu.worker ?? 0)) / share,
    postgres: (more.cpu.postgres - (less?.cpu.postgres ?? 0)) / share,
    size: `${Math.max(0, (more.bytes - (less?.bytes ?? 0)) / share / 1024).toFixed(1)} KiB on disk`,
  })
  return [
    line('create a row, with its event', quiet),
    line('a webhook', hooked, quiet),
    line('start an automation, with one step that changes a row', one, quiet),
    line('each further step that changes a row', five, one, 4),
    line('an automation that sends a mail, kept in the mailbox', mailed, quiet),
  ]
}

/** Creates rows and waits until all that follows from them is done. */
async function createRows(
  sides: Sides,
  headers: Readonly<Record<string, string>>,
  collection: string,
  count: number,
): Promise<void> {
  const { url } = sides.web.ready
  await mapConcurrently(
    count,
    index => {
      const row = { title: `Row ${index}`, email: `reader-${index}-${performance.now()}@example.test` }
      return send('POST', `${url}/v1/data/${collection}`, row, headers)
    },
    WRITE_CONCURRENCY,
  )
  await untilQuiet(sides)
}

const OPEN = `select (select count(*) from larder_events where dispatched_at is null)
  + (select count(*) from webhooks_deliveries where status = 'pending')
  + (select count(*) from automations_runs where finished_at is null)
  + (select count(*) from comms_messages where status in ('queued', 'sending')) as open`

async function untilQuiet({ environment, web }: Sides): Promise<void> {
  while (Number((await environment.query(web.databaseUrl, OPEN)).rows[0].open) > 0) await pause(200)
}

async function measureSockets(sides: Sides, headers: Readonly<Record<string, string>>, idle: Cpu): Promise<Line[]> {
  let received = 0
  const open = (count: number) => mapConcurrently(count, () => subscribe(socketUrl(sides), headers, () => received++))
  const sockets = await open(SOCKETS)
  await pause(1000)
  const quiet = await cpuOf(sides, idle, () => pause(IDLE_MS))
  received = 0
  const expected = SOCKETS * MESSAGES
  const busy = await cpuOf(sides, idle, async () => {
    await createRows(sides, headers, 'quiet', MESSAGES)
    const deadline = performance.now() + 60_000
    while (received < expected && performance.now() < deadline) await pause(50)
  })
  if (received < expected) throw new Error(`${received} of ${expected} messages arrived`)
  const before = await sides.web.memory()
  const more = await open(MORE_SOCKETS)
  const memory = growth(before, await sides.web.memory(), MORE_SOCKETS)
  for (const socket of [...sockets, ...more]) socket.terminate()
  // Their memory must be free before the next measurement.
  await pause(IDLE_MS / 4)
  return [
    {
      what: 'an hour of an open socket with a subscription',
      ...each(quiet, (SOCKETS * IDLE_MS) / 3_600_000),
      size: `web ${memory}`,
    },
    { what: 'a message to one socket', ...each(busy, expected) },
  ]
}

async function subscribe(
  url: string,
  { authorization = '' }: Readonly<Record<string, string>>,
  onMessage: () => void,
): Promise<WebSocket> {
  const socket = new WebSocket(url, { perMessageDeflate: false })
  await new Promise((resolve, reject) => socket.once('open', resolve).once('error', reject))
  const frame = (type: string, data: object) => socket.send(JSON.stringify({ type, id: '1', data }))
  await new Promise<void>((resolve, reject) => {
    socket.on('message', bytes => {
      const { type, data } = JSON.parse(bytes.toString()) as { type: string; data: unknown }
      if (type === 'welcome')
        frame('subscribe', { subscription: 'rows', topic: 'collections.rows', params: { collection: 'quiet' } })
      if (type === 'subscribed') resolve()
      if (type === 'error') reject(new Error(bytes.toString()))
      if (type === 'ping') socket.send(JSON.stringify({ type: 'pong', data }))
      if (type === 'message') onMessage()
    })
    frame('hello', { token: authorization.replace('Bearer ', '') })
  })
  return socket
}

/** Kilobytes of the heap, after a garbage collection, and of the process. */
const growth = (before: Memory, after: Memory, count: number): string => {
  const kib = (key: keyof Memory) => ((after[key] - before[key]) / count / 1024).toFixed(1)
  return `${kib('heap')} KiB of the heap, ${kib('resident')} KiB of memory`
}

async function measureWorkspaces(sides: Sides, idle: Cpu): Promise<Line[]> {
  const before = [await sides.web.memory(), await sides.worker.memory()] as const
  const bytes = await databaseBytes(sides)
  const made = await cpuOf(sides, idle, async () => {
    await mapConcurrently(WORKSPACES, () => register(sides.web.ready.url), WRITE_CONCURRENCY)
    await untilQuiet(sides)
  })
  const disk = ((await databaseBytes(sides)) - bytes) / WORKSPACES / 1024
  const hours = IDLE_MS / 3_600_000
  const quiet = await cpuOf(sides, idle, () => pause(IDLE_MS))
  const web = growth(before[0], await sides.web.memory(), WORKSPACES)
  const worker = growth(before[1], await sides.worker.memory(), WORKSPACES)
  return [
    {
      what: 'register a person with a workspace, with the mail',
      ...each(made, WORKSPACES),
      size: `${disk.toFixed(0)} KiB on disk`,
    },
    {
      what: 'an hour of an idle workspace',
      ...each(quiet, WORKSPACES * hours),
      size: `web ${web}; worker ${worker}`,
    },
  ]
}

/** CPU seconds per second. */
async function idleCpu(sides: Sides): Promise<Cpu> {
  const none: Cpu = { web: 0, worker: 0, postgres: 0 }
  return times(await cpuOf(sides, none, () => pause(IDLE_MS)), 1000 / IDLE_MS)
}

/** CPU seconds of the work, without those that an idle installation takes in the same time. */
async function cpuOf(sides: Sides, idle: Cpu, work: () => Promise<unknown>): Promise<Cpu> {
  const before = await cpuNow(sides)
  const started = performance.now()
  await work()
  const seconds = (performance.now() - started) / 1000
  const after = await cpuNow(sides)
  const used = (key: keyof Cpu) => Math.max(0, after[key] - before[key] - idle[key] * seconds)
  return { web: used('web'), worker: used('worker'), postgres: used('postgres') }
}

async function cpuNow({ web, worker, postmaster }: Sides): Promise<Cpu> {
  return {
    web: await cpuSeconds(web.pid),
    worker: await cpuSeconds(worker.pid),
    postgres: await cpuSecondsOfTree(postmaster),
  }
}

const times = ({ web, worker, postgres }: Cpu, factor: number): Cpu => ({
  web: web * factor,
  worker: worker * factor,
  postgres: postgres * factor,
})
/** Milliseconds per unit. */
const each = (cpu: Cpu, count: number): Cpu => times(cpu, 1000 / count)

async function databaseBytes({ environment, web }: Sides): Promise<number> {
  const { rows } = await environment.query(web.databaseUrl, 'select pg_database_size(current_database())::float8 as n')
  return rows[0].n
}

const PARENT = 1
const ENDED_CHILDREN = [13, 14] as const
const TICKS_PER_SECOND = 100

/** The fields of proc_pid_stat(5) after the name of the program. */
async function statOf(pid: number | string): Promise<string[]> {
  const text = await readFile(`/proc/${pid}/stat`, 'utf8')
  return text.slice(text.lastIndexOf(')') + 2).split(' ')
}

async function postmasterOf(environment: BenchEnvironment, url: string): Promise<number> {
  const { rows } = await environment.query(url, `select pid from pg_stat_activity where backend_type = 'checkpointer'`)
  return Number((await statOf(rows[0].pid))[PARENT])
}

/** CPU seconds of PostgreSQL: of its main process, of those that run, and of those that ended. */
async function cpuSecondsOfTree(postmaster: number): Promise<number> {
  const own = await statOf(postmaster)
  let seconds = await cpuSeconds(postmaster)
  for (const field of ENDED_CHILDREN) seconds += Number(own[field]) / TICKS_PER_SECOND
  for (const entry of await readdir('/proc')) {
    if (!/^\d+$/.test(entry)) continue
    const stat = await statOf(entry).catch(() => undefined)
    if (Number(stat?.[PARENT]) === postmaster) seconds += await cpuSeconds(Number(entry)).catch(() => 0)
  }
  return seconds
}

async function startReceiver(): Promise<Server> {
  const server = createServer((request, response) => {
    request.resume().on('end', () => response.end())
  })
  await new Promise<void>(resolve => server.listen(0, 'localhost', resolve))
  return server
}

function table(lines: readonly Line[]): string {
  const ms = (value: number | undefined) =>
    value === undefined ? '–' : value < 0.005 ? '0' : `${value.toFixed(value < 10 ? 2 : 0)} ms`
  return [
    '| What | Web | Worker | PostgreSQL | Size |',
    '|---|---|---|---|---|',
    ...lines.map(
      ({ what, web, worker, postgres, size = '–' }) =>
        `| ${what} | ${ms(web)} | ${ms(worker)} | ${ms(postgres)} | ${size} |`,
    ),
  ].join('\n')
}
