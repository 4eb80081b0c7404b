/** Clients that hold what they were given and do nothing with it. */
import { connect, type Socket } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { SECOND } from '../../kernel/base/units.ts'
import { TEST_PASSWORD } from '../../testing/index.ts'
import { house, kill, type Test } from './processes.ts'

export interface Slow {
  /** Milliseconds until the last connection of each kind was cut. */
  readonly cut: Readonly<Record<string, number>>
  /** Milliseconds of each answer that others got meanwhile. */
  readonly others: readonly number[]
  readonly failed: number
}

/** Milliseconds between two bytes of those that send some. */
const DRIP = 2 * SECOND
/** Of who reads nothing, and learns of the end by writing alone. */
const PROBE = 250
const PATIENCE = 60 * SECOND
const PROBE_EVERY = 20
/** Milliseconds from one client of a kind to the next. */
const APART = 20

/** Each kind writes what it writes at first, and then a byte now and then, or nothing. */
const KINDS: Readonly<Record<string, { first: string; drip: string }>> = {
  'idle socket': { first: '', drip: '' },
  'slow headers': { first: 'GET /v1/health HTTP/1.1\r\nhost: x\r\nx-slow: ', drip: 'a' },
  'slow body': {
    first: 'POST /v1/auth/login HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ncontent-length: 900\r\n\r\n{',
    drip: ' ',
  },
  // Asks for much, over and over, and reads nothing of it.
  'slow reader': { first: 'GET /v1/platform/openapi.json HTTP/1.1\r\nhost: x\r\n\r\n'.repeat(30), drip: 'GET' },
}

export async function holdOn(t: Test, { each }: { each: number }): Promise<Slow> {
  const larder = await house(t)
  const process = await larder.up('web')
  const token = await register(process.url)
  const cut: Record<string, number> = {}
  let holding = true
  const others: number[] = []
  let failed = 0
  const probing = (async () => {
    for (; holding; await pause(PROBE_EVERY)) {
      const started = performance.now()
      const { status } = await fetch(`${process.url}/v1/me`, { headers: { authorization: `Bearer ${token}` } })
      others.push(performance.now() - started)
      if (status !== 200) failed++
    }
  })()
  await Promise.all(
    Object.entries(KINDS).map(async ([kind, { first, drip }]) => {
      const one = async (n: number) => {
        await pause(n * APART)
        return hold(process.url, first, drip)
      }
      const held = await Promise.all(Array.from({ length: each }, (_, n) => one(n)))
      cut[kind] = Math.max(...held)
    }),
  )
  holding = false
  await probing
  await kill(process, 'SIGTERM')
  return { cut, others, failed }
}

/** Milliseconds until the other side ends it. */
async function hold(url: string, first: string, drip: string): Promise<number> {
  const { hostname, port } = new URL(url)
  const socket: Socket = connect(Number(port), hostname)
  socket.on('error', () => {})
  const reads = !first.includes('openapi')
  if (reads) socket.resume()
  const started = performance.now()
  socket.write(first)
  const dripping = drip === '' ? undefined : setInterval(() => socket.write(drip), reads ? DRIP : PROBE)
  const ended = new Promise<void>(resolve => {
    socket.once('close', () => resolve())
    socket.once('end', () => resolve())
  })
  await Promise.race([ended, pause(PATIENCE, undefined, { ref: false })])
  clearInterval(dripping)
  const passed = performance.now() - started
  socket.destroy()
  return passed
}

async function register(url: string): Promise<string> {
  const response = await fetch(`${url}/v1/auth/register`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email: 'ada@example.test', password: TEST_PASSWORD }),
  })
  return ((await response.json()) as { token: string }).token
}
