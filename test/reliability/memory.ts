/** How the memory of a process grows under a steady load. */
import { readFile } from 'node:fs/promises'
import { setTimeout as pause } from 'node:timers/promises'
import { MINUTE, SECOND } from '../../kernel/base/units.ts'
import { TEST_PASSWORD } from '../../testing/index.ts'
import { house, kill, ROOMY, type Test } from './processes.ts'

export interface Grown {
  /** Requests a second: the most that it answered, and what it was then asked. */
  readonly most: number
  readonly asked: number
  /** Resident MiB, every ten seconds. */
  readonly samples: readonly number[]
  /** MiB a minute, after the first fifth of the time. */
  readonly slope: number
  readonly failed: number
}

const LANES = 16
/** A caller who is not answered asks no more than so much at once: else a slow minute would never be caught up with. */
const UNDER_WAY = 256
const EVERY = 10 * SECOND
/** Of a timer that lets the requests of its time go at once. */
const TICK = 20

export async function watchMemory(t: Test, { minutes, probe }: { minutes: number; probe: number }): Promise<Grown> {
  const larder = await house(t, { recipe: ROOMY })
  const { url, child, ...rest } = await larder.up('start')
  const ask = await asker(url)
  let failed = 0
  const one = async () => {
    if (!(await ask())) failed++
  }
  const most = await closedLoop(one, probe)
  const asked = most / 2
  const end = Date.now() + minutes * MINUTE
  const sampling = sample(child.pid as number, end)
  await openLoop(one, asked, end)
  const samples = await sampling
  await kill({ ...rest, child }, 'SIGTERM')
  return { most, asked, samples, slope: slopeOf(samples.slice(Math.floor(samples.length / 5))), failed }
}

/** What a console does all day: look, look, write, look. */
async function asker(url: string): Promise<() => Promise<boolean>> {
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

/** Requests a second. */
async function closedLoop(one: () => Promise<void>, seconds: number): Promise<number> {
  const end = Date.now() + seconds * SECOND
  let done = 0
  const lane = async () => {
    while (Date.now() < end) {
      await one()
      done++
    }
  }
  await Promise.all(Array.from({ length: LANES }, lane))
  return done / seconds
}

async function openLoop(one: () => Promise<void>, rate: number, end: number): Promise<void> {
  const started = Date.now()
  const under = new Set<Promise<void>>()
  for (let sent = 0; Date.now() < end; await pause(TICK))
    for (const due = ((Date.now() - started) / SECOND) * rate; sent < due && under.size < UNDER_WAY; sent++) {
      const asked = one().finally(() => under.delete(asked))
      under.add(asked)
    }
  await Promise.all(under)
}

async function sample(pid: number, end: number): Promise<number[]> {
  const samples: number[] = []
  for (; Date.now() < end; await pause(EVERY)) {
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
  return (along / across) * (MINUTE / EVERY)
}
