/** Sends webhooks while the workers that send them are killed; a soak runs it with greater counts. */
import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import type { Person, TestKernel } from '../../../kernel/testing.ts'
import { type Receiver, startReceiver } from './receiver.ts'
import { createHooked, startWebhooks, until } from './stage.ts'

export interface Fire {
  /** Each tells two things: that it was created, and that it ended. */
  readonly sessions: number
  /** SIGKILLs, spread over the work at random. */
  readonly kills: number
  readonly workers: number
}
export interface Damage {
  /** Sessions and steps of which no webhook came. */
  readonly lost: number
  /** Webhooks that came under more than one id. */
  readonly renamed: number
  /** Webhooks that came again under their id: what was under way at a kill. */
  readonly again: number
  /** Deliveries that do not stand as delivered. */
  readonly open: number
  /** How many had come at each kill. */
  readonly kills: readonly number[]
}

const worker = fileURLToPath(new URL('./worker.js', import.meta.url))

export async function sendUnderFire({ sessions, kills, workers }: Fire): Promise<Damage> {
  const receiver = await startReceiver((_, response) => {
    setTimeout(() => response.writeHead(204).end(), 5)
  })
  const kernel = await startWebhooks({ role: 'web' })
  const start = () => fork(worker, [kernel.databaseUrl], { stdio: 'ignore' })
  const children = Array.from({ length: workers }, start)
  try {
    const person = await kernel.register('fire@example.test')
    const made = live(person, receiver.url, sessions)
    const met: number[] = []
    for (let kill = 0; kill < kills; kill++) {
      await receiver.came(Math.floor((2 * sessions * (kill + Math.random())) / (kills + 1)))
      const victim = kill % workers
      await end(children[victim] as ChildProcess)
      met.push(receiver.received.length)
      children[victim] = start()
    }
    await made
    await until(
      () => stillOpen(kernel),
      open => open === 0,
      60,
    )
    return { ...damage(receiver, sessions), open: await stillOpen(kernel), kills: met }
  } finally {
    await Promise.all(children.map(end))
    await receiver.close()
    await kernel.stop()
  }
}

async function live(person: Person, url: string, sessions: number): Promise<void> {
  for (let first = 0; first < sessions; first += 10)
    await Promise.all(
      Array.from({ length: Math.min(10, sessions - first) }, async (_, n) => {
        const { id } = await createHooked(person, `${url}/${first + n}`)
        await person.post(`/v1/sessions/${id}/end`)
      }),
    )
}

async function stillOpen({ kernel }: TestKernel): Promise<number> {
  const { rows } = await kernel.ports.database
    .system('a test counts what is not delivered')
    .query<{ n: number }>(`select count(*)::int as n from webhooks_deliveries where status <> 'delivered'`)
  return rows[0]?.n ?? 0
}

function damage({ received }: Receiver, sessions: number) {
  const ids = new Map<string, Set<unknown>>()
  for (const { path, headers, body } of received) {
    const step = `${path} ${(JSON.parse(body) as { type: string }).type}`
    ids.set(step, (ids.get(step) ?? new Set()).add(headers['webhook-id']))
  }
  return {
    lost: 2 * sessions - ids.size,
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
