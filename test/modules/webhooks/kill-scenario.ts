/** Lives of sessions while the processes that serve them, and those that send their webhooks, are killed. */
import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import type { TestKernel } from '../../../testing/index.ts'
import { type Received, type Receiver, startReceiver } from './receiver.ts'
import { startWebhooks, until } from './fixtures.ts'

export interface Fire {
  /** Each is created, and ended. */
  readonly sessions: number
  /** SIGKILLs, spread over the work at random; of each role in turn. */
  readonly kills: number
}
export interface Damage {
  /** Steps that stand in the database and of which no webhook came. */
  readonly lost: number
  /** Webhooks of steps that do not stand there. */
  readonly made: number
  /** Webhooks that came under more than one id. */
  readonly renamed: number
  /** Webhooks that came again under their id: what was under way at a kill. */
  readonly again: number
  /** Deliveries that do not stand as delivered. */
  readonly open: number
  /** How many had come at each kill. */
  readonly kills: readonly number[]
}
interface Victim {
  readonly role: 'web' | 'worker'
  child: ChildProcess
  /** Where it serves. */
  url: Promise<string>
}

const PROGRAM = fileURLToPath(new URL('./worker.js', import.meta.url))
const AT_ONCE = 10

export async function sendUnderFire({ sessions, kills }: Fire): Promise<Damage> {
  const receiver = await startReceiver((_, response) => {
    setTimeout(() => response.writeHead(204).end(), 5)
  })
  const kernel = await startWebhooks({ role: 'web' })
  const victims = (['web', 'worker'] as const).map(role => ({ role, ...start(kernel, role) }))
  const [web] = victims as [Victim]
  try {
    const { token } = await kernel.register('fire@example.test')
    const lives = live(web, token, receiver.url, sessions)
    const met: number[] = []
    for (let kill = 0; kill < kills; kill++) {
      await receiver.came(Math.floor((2 * sessions * (kill + Math.random())) / (kills + 1)))
      const victim = victims[kill % victims.length] as Victim
      await end(victim.child)
      met.push(receiver.received.length)
      Object.assign(victim, start(kernel, victim.role))
    }
    await lives
    await until(
      () => stillOpen(kernel),
      open => open === 0,
      60,
    )
    return { ...(await damage(kernel, receiver)), open: await stillOpen(kernel), kills: met }
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

async function live(web: Victim, token: string, hook: string, sessions: number): Promise<void> {
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
  /** Asks whoever serves, until somebody answers. What a killed one did is not known. */
  async function ask(path: string, body: object): Promise<{ id: string }> {
    for (;;) {
      const url = await web.url
      const options = { method: 'POST', headers, body: JSON.stringify(body) }
      const answer = await fetch(`${url}/v1/sessions${path}`, options).catch(() => undefined)
      if (answer?.ok) return (await answer.json()) as { id: string }
      await new Promise(resolve => setTimeout(resolve, 20))
    }
  }
  const one = async () => {
    const { id } = await ask('', { mode: 'screenshare', webhook_url: hook })
    await ask(`/${id}/end`, {})
  }
  let left = sessions
  const worker = async () => {
    while (left-- > 0) await one()
  }
  await Promise.all(Array.from({ length: AT_ONCE }, worker))
}

const across = ({ kernel }: TestKernel) => kernel.ports.database.system('a test counts what is told and what is not')

/** Events that no relay has seen count as well. */
async function stillOpen(kernel: TestKernel): Promise<number> {
  const { rows } = await across(kernel).query<{ n: number }>(
    `select (select count(*) from webhooks_deliveries where status <> 'delivered')::int
       + (select count(*) from larder_events where dispatched_at is null)::int
       + (select count(*) from larder_deliveries where state = 'pending')::int as n`,
  )
  return rows[0]?.n ?? 0
}

const stepOf = ({ body }: Received): string => {
  const { session_id, type } = JSON.parse(body) as { session_id: string; type: string }
  return `${session_id} ${type}`
}

async function damage(kernel: TestKernel, { received }: Receiver) {
  const { rows } = await across(kernel).query<{ id: string; status: string }>(
    'select id, status from sessions_sessions',
  )
  const stand = new Set(
    rows.flatMap(({ id, status }) => [`${id} session.created`, ...(status === 'ended' ? [`${id} session.ended`] : [])]),
  )
  const ids = new Map<string, Set<unknown>>()
  for (const one of received) ids.set(stepOf(one), (ids.get(stepOf(one)) ?? new Set()).add(one.headers['webhook-id']))
  return {
    lost: [...stand].filter(step => !ids.has(step)).length,
    made: [...ids.keys()].filter(step => !stand.has(step)).length,
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
