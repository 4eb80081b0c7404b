/** Measures how the memory of a process grows under steady load. */
import { readFile } from 'node:fs/promises'
import { setTimeout as pause } from 'node:timers/promises'
import { MINUTE, SECOND } from '../../kernel/base/units.ts'
import { TEST_PASSWORD } from '../../testing/index.ts'
import { createInstallation, kill, RECIPE_WITH_MANY_SEATS, type Test } from './processes.ts'

export interface MemoryGrowth {
  /** Requests per second in a closed loop, and half of that for the measurement. */
  readonly maxRate: number
  readonly rate: number
  /** Resident MiB, one sample per `SAMPLE_INTERVAL_MS`. */
  readonly samples: readonly number[]
  /** MiB per minute, without the first fifth of the time. */
  readonly slope: number
  readonly failed: number
}

const CLIENTS = 16
/** Without this limit, the backlog of a slow minute would never shrink. */
const MAX_CONCURRENT_REQUESTS = 256
const SAMPLE_INTERVAL_MS = 10 * SECOND
/** The open loop sends the requests that are due at each tick. */
const TICK_MS = 20

export async function measureMemoryGrowth(
  t: Test,
  { minutes, probe }: { minutes: number; probe: number },
): Promise<MemoryGrowth> {
  const larder = await createInstallation(t, { recipe: RECIPE_WITH_MANY_SEATS })
  const { url, child, ...rest } = await larder.startProcess('start')
  const sendNext = await createClient(url)
  let failed = 0
  const send = async () => {
    if (!(await sendNext())) failed++
  }
  const maxRate = await closedLoop(send, probe)
  const rate = maxRate / 2
  const end = Date.now() + minutes * MINUTE
  const sampling = sampleMemory(child.pid as number, end)
  await openLoop(send, rate, end)
  const samples = await sampling
  await kill({ ...rest, child }, 'SIGTERM')
  return { maxRate, rate, samples, slope: slopeOf(samples.slice(Math.floor(samples.length / 5))), failed }
}

/** Mostly reads, with one write in 20 requests. Resolves with whether a request succeeded. */
async function createClient(url: string): Promise<() => Promise<boolean>> {
  const headers: Record<string, string> = { 'content-type': 'application/json' }
  const post = (path: string, body: object) =>
    fetch(url + path, { method: 'POST', headers, body: JSON.stringify(body) })
  const registered = await post('/v1/auth/register', { email: 'ada@example.test', password: TEST_PASSWORD })
  headers.authorization = `Bearer ${((await registered.json()) as { token: string }).token}`
  let turn = 0
  return async () => {
    const n = turn++
    const invitation = { email: `guest${n}@example.test`, roles: ['tenant.member'] }
    const response = await (n % 20 === 0
      ? post('/v1/identity/members/invite', invitation)
      : fetch(url + PATHS[n % PATHS.length], { headers }))
    await response.arrayBuffer()
    return response.ok
  }
}
const PATHS = [
  '/v1/me',
  '/v1/identity/members',
  '/v1/communications/messages?limit=10',
  '/v1/identity/audit?limit=10',
  '/v1/health',
]

/** Returns the requests per second. */
async function closedLoop(send: () => Promise<void>, seconds: number): Promise<number> {
  const end = Date.now() + seconds * SECOND
  let done = 0
  const loop = async () => {
    while (Date.now() < end) {
      await send()
      done++
    }
  }
  await Promise.all(Array.from({ length: CLIENTS }, loop))
  return done / seconds
}

async function openLoop(send: () => Promise<void>, rate: number, end: number): Promise<void> {
  const started = Date.now()
  const pending = new Set<Promise<void>>()
  for (let sent = 0; Date.now() < end; await pause(TICK_MS))
    for (
      const due = ((Date.now() - started) / SECOND) * rate;
      sent < due && pending.size < MAX_CONCURRENT_REQUESTS;
      sent++
    ) {
      const request = send().finally(() => pending.delete(request))
      pending.add(request)
    }
  await Promise.all(pending)
}

async function sampleMemory(pid: number, end: number): Promise<number[]> {
  const samples: number[] = []
  for (; Date.now() < end; await pause(SAMPLE_INTERVAL_MS)) {
    const status = await readFile(`/proc/${pid}/status`, 'utf8')
    samples.push(Number(/VmRSS:\s+(\d+) kB/.exec(status)?.[1]) / 1024)
  }
  return samples
}

/** Least squares; samples are `EVERY` apart. */
export function slopeOf(samples: readonly number[]): number {
  const middle = (samples.length - 1) / 2
  const mean = samples.reduce((sum, value) => sum + value, 0) / samples.length
  const along = samples.reduce((sum, value, at) => sum + (at - middle) * (value - mean), 0)
  const across = samples.reduce((sum, _, at) => sum + (at - middle) ** 2, 0)
  return (along / across) * (MINUTE / SAMPLE_INTERVAL_MS)
}
