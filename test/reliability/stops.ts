/** Stops a process under load with SIGTERM, as an orchestrator does. */
import { once } from 'node:events'
import { Agent, request } from 'node:http'
import { connect } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { registerAt } from '../fixtures/register-at.ts'
import { createRandom } from './fixtures.ts'
import { createInstallation, kill, type LarderProcess, type Test } from './processes.ts'

export interface StopResult {
  readonly answered: number
  /** Requests on an accepted connection without a response, or with a 5xx one. */
  readonly failed: readonly string[]
  readonly exits: readonly (number | null)[]
  /** From each signal to the end of the process. */
  readonly durationsMs: readonly number[]
  /** API keys that were confirmed but not stored, or stored but not confirmed. */
  readonly mismatched: number
}

const CLIENTS = 16
const RESPONSES_BEFORE_STOP = 60
/** Less than a stopping server waits before it closes idle connections. */
const MAX_IDLE_MS = 500

export async function stopUnderLoad(t: Test, { stops }: { stops: number }): Promise<StopResult> {
  const larder = await createInstallation(t)
  const random = createRandom(stops)
  const failed: string[] = []
  const exits: (number | null)[] = []
  const durationsMs: number[] = []
  let answered = 0
  let created = 0
  let token = ''

  /** Sends requests over a kept-alive connection until the server refuses connections. */
  async function load(url: string): Promise<void> {
    const connect = () => new Agent({ keepAlive: true, maxSockets: 1 })
    let agent = connect()
    let usedAt = performance.now()
    for (let n = 0; ; n++) {
      // While this process waited for the processor, the server may have closed the connection.
      if (performance.now() - usedAt > MAX_IDLE_MS) {
        agent.destroy()
        agent = connect()
      }
      const writes = n % 3 === 0
      const outcome = await send(url, agent, token, writes)
      usedAt = performance.now()
      if (outcome === 'ECONNREFUSED') break
      if (outcome === '200' || outcome === '201') answered++
      else failed.push(`${writes ? 'POST' : 'GET'}: ${outcome}`)
      if (outcome === '201') created++
    }
    agent.destroy()
  }

  for (let n = 0; n < stops; n++) {
    const process = await larder.startProcess('start')
    if (!token) ({ token } = await registerAt(process.url))
    const clients = Promise.all(Array.from({ length: CLIENTS }, () => load(process.url)))
    const enough = answered + RESPONSES_BEFORE_STOP
    while (answered < enough && failed.length === 0) await pause(5)
    await pause(random.below(200))
    const signaled = performance.now()
    exits.push(await kill(process, 'SIGTERM'))
    durationsMs.push(performance.now() - signaled)
    await clients
  }
  const stored = await larder.owner.value(`select count(*)::int from identity_api_keys where name = 'load'`)
  return { answered, failed, exits, durationsMs, mismatched: Math.abs(stored - created) }
}

/** Returns the status, or the code of the error. */
function send(url: string, agent: Agent, token: string, writes: boolean): Promise<string> {
  const body = writes ? JSON.stringify({ name: 'load' }) : undefined
  return new Promise(resolve => {
    const outgoing = request(
      `${url}/v1/identity/api-keys`,
      {
        agent,
        method: writes ? 'POST' : 'GET',
        headers: { authorization: `Bearer ${token}`, ...(body && { 'content-type': 'application/json' }) },
      },
      response => {
        response.on('error', error => resolve(error.message))
        response.on('end', () => resolve(String(response.statusCode)))
        response.resume()
      },
    )
    outgoing.on('error', error => {
      const { code = 'error' } = error as NodeJS.ErrnoException
      resolve(
        code === 'ECONNREFUSED'
          ? code
          : `${code} ${outgoing.reusedSocket ? 'on a kept-alive connection' : 'on a new connection'}`,
      )
    })
    outgoing.end(body)
  })
}

/**
 * Sends requests on connections that the process hasn't accepted, because it is suspended, and resumes it after `before`.
 * Returns the status of each response, or the code of the error.
 */
export async function requestWhileSuspended(
  { child, url }: LarderProcess,
  count: number,
  before: () => unknown,
): Promise<string[]> {
  child.kill('SIGSTOP')
  const { hostname, port } = new URL(url)
  const requests = Array.from({ length: count }, async () => {
    const socket = connect(Number(port), hostname)
    await once(socket, 'connect')
    socket.write(`GET /v1/health HTTP/1.1\r\nHost: ${hostname}\r\n\r\n`)
    return socket
  })
  const sockets = await Promise.all(requests)
  const outcomes = sockets.map(
    socket =>
      new Promise<string>(resolve => {
        socket.once('data', data => resolve(String(data).split(' ')[1] ?? ''))
        socket.once('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? ''))
        socket.once('end', () => resolve('ended'))
      }),
  )
  before()
  child.kill('SIGCONT')
  return Promise.all(outcomes)
}
