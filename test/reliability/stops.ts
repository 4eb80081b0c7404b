/** Stops a process under load, as an orchestrator does; a soak stops more often. */
import { Agent, request } from 'node:http'
import { setTimeout as pause } from 'node:timers/promises'
import { TEST_PASSWORD } from '../../testing/index.ts'
import { createRandom } from './fixtures.ts'
import { house, kill, type Test } from './processes.ts'

export interface Stopped {
  readonly answered: number
  /** Requests on a connection that was open, and got no answer or one of 5xx. */
  readonly failed: readonly string[]
  readonly exits: readonly (number | null)[]
  /** Milliseconds from each signal to the end of the process. */
  readonly took: readonly number[]
  /** Keys that were answered 201 and are not there, or are there and were not answered. */
  readonly wrong: number
}

const LANES = 16
/** Answers before the stop. */
const WARM = 60

export async function stopUnderLoad(t: Test, { stops }: { stops: number }): Promise<Stopped> {
  const larder = await house(t)
  const random = createRandom(stops)
  const failed: string[] = []
  const exits: (number | null)[] = []
  const took: number[] = []
  let answered = 0
  let made = 0
  let token = ''

  /** Over kept-alive connections, until nobody listens any more. */
  async function load(url: string): Promise<void> {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 })
    for (let n = 0; ; n++) {
      const writes = n % 3 === 0
      const said = await ask(url, agent, token, writes)
      if (said === 'ECONNREFUSED') break
      if (said === '200' || said === '201') answered++
      else failed.push(`${writes ? 'POST' : 'GET'}: ${said}`)
      if (said === '201') made++
    }
    agent.destroy()
  }

  for (let n = 0; n < stops; n++) {
    const process = await larder.up('start')
    if (!token) token = await register(process.url)
    const lanes = Promise.all(Array.from({ length: LANES }, () => load(process.url)))
    const warm = answered + WARM
    while (answered < warm && failed.length === 0) await pause(5)
    await pause(random.below(200))
    const told = performance.now()
    exits.push(await kill(process, 'SIGTERM'))
    took.push(performance.now() - told)
    await lanes
  }
  const there = await larder.owner.number(`select count(*)::int from identity_api_keys where name = 'load'`)
  return { answered, failed, exits, took, wrong: Math.abs(there - made) }
}

async function register(url: string): Promise<string> {
  const response = await fetch(`${url}/v1/auth/register`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email: 'ada@example.test', password: TEST_PASSWORD }),
  })
  return ((await response.json()) as { token: string }).token
}

/** The status, or the code of the error. */
function ask(url: string, agent: Agent, token: string, writes: boolean): Promise<string> {
  const body = writes ? JSON.stringify({ name: 'load' }) : undefined
  return new Promise(resolve => {
    const asked = request(
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
    asked.on('error', error => {
      const { code = 'error' } = error as NodeJS.ErrnoException
      resolve(
        code === 'ECONNREFUSED'
          ? code
          : `${code} ${asked.reusedSocket ? 'on a kept connection' : 'on a new connection'}`,
      )
    })
    asked.end(body)
  })
}
