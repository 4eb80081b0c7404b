/**
 * Creates and ends sessions while web and worker processes are killed. Each transition is sent to the URL of its session
 * and to an endpoint.
 */
import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import type { TestKernel } from '../../../testing/index.ts'
import { waitFor } from '../../fixtures/wait.ts'
import { createEndpoint, startWebhooks } from './fixtures.ts'
import { type Received, type Receiver, startReceiver } from './receiver.ts'

export interface KillScenario {
  /** Each session is created and ended. */
  readonly sessions: number
  /** SIGKILLs at random points, alternating between the roles. */
  readonly kills: number
}
export interface KillResult {
  /** Stored transitions without a webhook. */
  readonly lost: number
  /** Webhooks without a stored transition. */
  readonly made: number
  /** Transitions with webhooks under more than one id. */
  readonly renamed: number
  /** Webhooks received again under the same id, because they were in flight at a kill. */
  readonly again: number
  /** Deliveries that are not delivered. */
  readonly open: number
  /** Number of webhooks received before each kill. */
  readonly kills: readonly number[]
}
interface Victim {
  readonly role: 'web' | 'worker'
  child: ChildProcess
  /** Its base URL. */
  url: Promise<string>
}

const PROGRAM = fileURLToPath(new URL('./worker.js', import.meta.url))
const CONCURRENCY = 10
const SESSION_PATH = '/session'
const ENDPOINT_PATH = '/endpoint'
/** Two transitions to two URLs. */
const WEBHOOKS_PER_SESSION = 4

export async function sendDuringKills({ sessions, kills }: KillScenario): Promise<KillResult> {
  const receiver = await startReceiver((_, response) => {
    setTimeout(() => response.writeHead(204).end(), 5)
  })
  const kernel = await startWebhooks({ role: 'web' })
  const victims = (['web', 'worker'] as const).map(role => ({ role, ...start(kernel, role) }))
  const [web] = victims as [Victim]
  try {
    const person = await kernel.register('fire@example.test')
    await createEndpoint(person, receiver.url + ENDPOINT_PATH, ['sessions.session.*'])
    const work = runSessions(web, person.token, receiver.url + SESSION_PATH, sessions)
    const receivedBefore: number[] = []
    for (let kill = 0; kill < kills; kill++) {
      await receiver.came(Math.floor((WEBHOOKS_PER_SESSION * sessions * (kill + Math.random())) / (kills + 1)))
      const victim = victims[kill % victims.length] as Victim
      await end(victim.child)
      receivedBefore.push(receiver.received.length)
      Object.assign(victim, start(kernel, victim.role))
    }
    await work
    await waitFor(
      () => stillOpen(kernel),
      open => open === 0,
      60,
    )
    return { ...(await compare(kernel, receiver)), open: await stillOpen(kernel), kills: receivedBefore }
  } finally {
    await Promise.all(victims.map(({ child }) => end(child)))
    await receiver.close()
    await kernel.stop()
  }
}

function start({ databaseUrl }: TestKernel, role: Victim['role']): Omit<Victim, 'role'> {
  const child = fork(PROGRAM, [databaseUrl, role], { stdio: 'ignore' })
  return { child, url: new Promise(resolve => child.once('message', resolve as () => void)) }
}

async function runSessions(web: Victim, token: string, hook: string, sessions: number): Promise<void> {
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
  /** Retries until a process responds. The effect of a killed request is unknown. */
  async function request(path: string, body: object): Promise<{ id: string }> {
    for (;;) {
      const url = await web.url
      const options = { method: 'POST', headers, body: JSON.stringify(body) }
      const answer = await fetch(`${url}/v1/sessions${path}`, options).catch(() => undefined)
      if (answer?.ok) return (await answer.json()) as { id: string }
      await new Promise(resolve => setTimeout(resolve, 20))
    }
  }
  const one = async () => {
    const { id } = await request('', { mode: 'screenshare', webhook_url: hook })
    await request(`/${id}/end`, {})
  }
  let left = sessions
  const worker = async () => {
    while (left-- > 0) await one()
  }
  await Promise.all(Array.from({ length: CONCURRENCY }, worker))
}

const everyTenant = ({ kernel }: TestKernel) =>
  kernel.ports.systemDatabase.acrossTenants('the test compares transitions and webhooks')

/** Includes events that the relay has not processed yet. */
async function stillOpen(kernel: TestKernel): Promise<number> {
  const { rows } = await everyTenant(kernel).query<{ n: number }>(
    `select (select count(*) from webhooks_deliveries where status <> 'delivered')::int
       + (select count(*) from larder_events where dispatched_at is null)::int
       + (select count(*) from larder_deliveries where state = 'pending')::int as n`,
  )
  return rows[0]?.n ?? 0
}

const transitionOf = ({ path, body }: Received): string => {
  const { type, ...rest } = JSON.parse(body) as { type: string; session_id: string; data: { session_id: string } }
  return path === ENDPOINT_PATH ? `${path} ${rest.data.session_id} ${type}` : `${path} ${rest.session_id} ${type}`
}

/** The webhooks about one state of a session. */
const webhooksOf = (id: string, state: string): string[] => [
  `${SESSION_PATH} ${id} session.${state}`,
  `${ENDPOINT_PATH} ${id} sessions.session.${state}`,
]

async function compare(kernel: TestKernel, { received }: Receiver) {
  const { rows } = await everyTenant(kernel).query<{ id: string; status: string }>(
    'select id, status from sessions_sessions',
  )
  const stored = new Set(
    rows.flatMap(({ id, status }) => [
      ...webhooksOf(id, 'created'),
      ...(status === 'ended' ? webhooksOf(id, 'ended') : []),
    ]),
  )
  const ids = new Map<string, Set<unknown>>()
  for (const one of received)
    ids.set(transitionOf(one), (ids.get(transitionOf(one)) ?? new Set()).add(one.headers['webhook-id']))
  return {
    lost: [...stored].filter(step => !ids.has(step)).length,
    made: [...ids.keys()].filter(step => !stored.has(step)).length,
    renamed: [...ids.values()].filter(({ size }) => size > 1).length,
    again: received.length - ids.size,
  }
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const ended = once(child, 'exit')
  child.kill('SIGKILL')
  await ended
}
