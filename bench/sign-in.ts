/** Sign-ins: with a password, compared with the hash alone, with the health route meanwhile; requests of other methods. */
import { randomBytes } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { type BenchEnvironment, PASSWORD, register } from './fixtures.ts'
import { child, measureInTurns, percentile, perSecond, type Rate, type Row, type Target } from './measure.ts'

const PROBE_INTERVAL_MS = 20
const OTHERS: readonly { readonly what: string; readonly path: string; readonly hasEmail: boolean }[] = [
  { what: 'request an email code', path: '/v1/auth/email-code', hasEmail: true },
  { what: 'request a password reset', path: '/v1/auth/password/forgot', hasEmail: true },
  { what: 'start a sign-in with a passkey', path: '/v1/auth/passkey/options', hasEmail: false },
]

export async function signIn(environment: BenchEnvironment): Promise<Row[]> {
  const [checkout] = environment.checkouts
  if (!checkout) throw new Error('expected a checkout')
  const [hashing, larder] = await Promise.all([
    child<{ url: string }>('./hash-server.js', []),
    environment.start(checkout, 'web', 'sign-in.yaml'),
  ])
  try {
    const { url } = larder.ready
    const email = `bench-${randomBytes(6).toString('hex')}@example.test`
    await register(url, email)
    const post = (name: string, pid: number, at: string, body: object): Target => ({
      name,
      pid,
      url: at,
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
    const login = post('Larder', larder.pid, `${url}/v1/auth/login`, { email, password: PASSWORD })
    const [alone, whole] = await measureInTurns([post('argon2id', hashing.pid, hashing.ready.url, {}), login])
    const health = await healthDuring(`${url}/v1/health`, () => measureInTurns([login]))
    const rows: Row[] = []
    for (const { what, path, hasEmail } of OTHERS) {
      const [rate] = await measureInTurns([post('Larder', larder.pid, url + path, hasEmail ? { email } : {})])
      if (rate) rows.push(rowOf(what, rate))
    }
    return [ratioRow(alone, whole), health, ...rows]
  } finally {
    await Promise.all([hashing.stop(), larder.stop()])
  }
}

/** p99 of the health route while `work` runs. */
async function healthDuring(url: string, work: () => Promise<unknown>): Promise<Row> {
  const times: number[] = []
  let isRunning = true
  const probe = async () => {
    for (; isRunning; await pause(PROBE_INTERVAL_MS)) {
      const started = performance.now()
      await (await fetch(url)).text()
      times.push(performance.now() - started)
    }
  }
  const probing = probe()
  await work()
  isRunning = false
  await probing
  const measured = `p50 ${percentile(times, 0.5).toFixed(1)} ms, p99 ${percentile(times, 0.99).toFixed(1)} ms`
  return { what: 'health while 16 clients sign in', measured, against: '–', target: 'p99 < 100 ms' }
}

const describe = ({ median, p99, cpuMs }: Rate): string =>
  `${perSecond(median)}, p99 ${p99} ms, CPU ${cpuMs.toFixed(2)} ms`

function ratioRow(alone: Rate | undefined, whole: Rate | undefined): Row {
  if (!alone || !whole) throw new Error('expected two sides')
  return {
    what: 'sign in with a password',
    measured: `**${(whole.median / alone.median).toFixed(2)}** (${describe(whole)})`,
    against: `argon2id alone ${describe(alone)}`,
    target: '≥ 0.9',
  }
}

const rowOf = (what: string, rate: Rate): Row => ({
  what,
  measured: `${perSecond(1000 / rate.cpuMs)} per core (${describe(rate)})`,
  against: '–',
  target: '≥ 300/s',
})
