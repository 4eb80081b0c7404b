/** Clients that keep connections open without sending or reading enough. */
import { connect, type Socket } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { SECOND } from '../../kernel/base/units.ts'
import { registerAt } from '../fixtures/register-at.ts'
import { createInstallation, kill, type Test } from './processes.ts'

export interface SlowClientResult {
  /** Time until the last connection of each kind was closed. */
  readonly cutAfterMs: Readonly<Record<string, number>>
  /** Response times of other requests meanwhile. */
  readonly responseMs: readonly number[]
  readonly failed: number
}

/** Between two bytes of slow senders. */
const DRIP_INTERVAL_MS = 2 * SECOND
/** A client that does not read detects a closed connection only by writing. */
const READER_DRIP_INTERVAL_MS = 250
const TIMEOUT_MS = 60 * SECOND
const PROBE_INTERVAL_MS = 20
/** Between two clients of one kind. */
const CLIENT_INTERVAL_MS = 20

/** Each kind sends `first`, then `drip` at intervals. */
const KINDS: Readonly<Record<string, { first: string; drip: string }>> = {
  'idle socket': { first: '', drip: '' },
  'slow headers': { first: 'GET /v1/health HTTP/1.1\r\nhost: x\r\nx-slow: ', drip: 'a' },
  'slow body': {
    first: 'POST /v1/auth/login HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ncontent-length: 900\r\n\r\n{',
    drip: ' ',
  },
  // Requests large responses and reads none of them.
  'slow reader': { first: 'GET /v1/platform/openapi.json HTTP/1.1\r\nhost: x\r\n\r\n'.repeat(30), drip: 'GET' },
}

export async function connectSlowClients(t: Test, { each }: { each: number }): Promise<SlowClientResult> {
  const larder = await createInstallation(t)
  const process = await larder.startProcess('web')
  const { token } = await registerAt(process.url)
  const cutAfterMs: Record<string, number> = {}
  let holding = true
  const responseMs: number[] = []
  let failed = 0
  const probing = (async () => {
    for (; holding; await pause(PROBE_INTERVAL_MS)) {
      const started = performance.now()
      const { status } = await fetch(`${process.url}/v1/me`, { headers: { authorization: `Bearer ${token}` } })
      responseMs.push(performance.now() - started)
      if (status !== 200) failed++
    }
  })()
  await Promise.all(
    Object.entries(KINDS).map(async ([kind, { first, drip }]) => {
      const one = async (n: number) => {
        await pause(n * CLIENT_INTERVAL_MS)
        return holdConnection(process.url, first, drip)
      }
      const held = await Promise.all(Array.from({ length: each }, (_, n) => one(n)))
      cutAfterMs[kind] = Math.max(...held)
    }),
  )
  holding = false
  await probing
  await kill(process, 'SIGTERM')
  return { cutAfterMs, responseMs, failed }
}

/** Returns the milliseconds until the server closes the connection. */
async function holdConnection(url: string, first: string, drip: string): Promise<number> {
  const { hostname, port } = new URL(url)
  const socket: Socket = connect(Number(port), hostname)
  socket.on('error', () => {})
  const reads = !first.includes('openapi')
  if (reads) socket.resume()
  const started = performance.now()
  socket.write(first)
  const dripping =
    drip === '' ? undefined : setInterval(() => socket.write(drip), reads ? DRIP_INTERVAL_MS : READER_DRIP_INTERVAL_MS)
  const ended = new Promise<void>(resolve => {
    socket.once('close', () => resolve())
    socket.once('end', () => resolve())
  })
  await Promise.race([ended, pause(TIMEOUT_MS, undefined, { ref: false })])
  clearInterval(dripping)
  const passed = performance.now() - started
  socket.destroy()
  return passed
}
