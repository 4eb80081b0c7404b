/** Drains an outbox while its workers are killed; a soak runs it with greater counts. */
import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { waitFor } from '../../fixtures/wait.ts'
import { createStage, type Stage } from './fixtures.ts'

export interface Fire {
  readonly events: number
  /** SIGKILLs, spread over the work at random. */
  readonly kills: number
  readonly workers: number
}
export interface Damage {
  readonly effects: number
  /** `event handler` pairs without an effect. */
  readonly lost: number
  /** Pairs with more than one. */
  readonly twice: number
  /** Events that were still to do at each kill. */
  readonly left: readonly number[]
}

const TENANTS = 20
const HANDLERS = 2
/** Seconds. */
const DRAINED_IN = 600
const worker = fileURLToPath(new URL('./worker.js', import.meta.url))

export async function drainUnderFire({ events, kills, workers }: Fire): Promise<Damage> {
  const stage = await createStage()
  const start = () => fork(worker, [stage.ownerUrl], { stdio: 'inherit' })
  const children = Array.from({ length: workers }, start)
  try {
    await publish(stage, events)
    const left: number[] = []
    for (let kill = 0; kill < kills; kill++) {
      const at = (events * HANDLERS * (kill + Math.random())) / (kills + 1)
      await waitFor(async () => (await count(stage, 'test_effects')) >= at, Boolean, DRAINED_IN)
      const victim = Math.floor(Math.random() * workers)
      await end(children[victim] as ChildProcess)
      left.push(await count(stage, 'larder_events where dispatched_at is null'))
      children[victim] = start()
    }
    await waitFor(
      async () =>
        (await count(stage, 'larder_events where dispatched_at is null')) +
          (await count(stage, `larder_deliveries where state = 'pending'`)) ===
        0,
      Boolean,
      DRAINED_IN,
    )
    return await damage(stage, left)
  } finally {
    await Promise.all(children.map(end))
    await stage.end()
  }
}

async function publish({ db, events }: Stage, count: number): Promise<void> {
  for (let first = 0; first < count; first += 100) {
    const tenantId = `ten_${(first / 100) % TENANTS}`
    const many = Array.from({ length: Math.min(100, count - first) }, (_, n) =>
      events.step('test.thing.made', { tenantId, payload: { n: first + n } }),
    )
    await db.database.tenant(tenantId).batch(many)
  }
  events.wakeWorkers()
}

async function count(stage: Stage, from: string): Promise<number> {
  const [row] = await stage.asOwner<{ n: number }>(`select count(*)::int as n from ${from}`)
  return row?.n ?? 0
}

async function damage(stage: Stage, left: readonly number[]): Promise<Damage> {
  const [row] = await stage.asOwner<{ effects: number; lost: number; twice: number }>(
    `with pairs as (select e.id, h.handler, count(f.*)::int as n
       from larder_events e cross join (values ('a'), ('b')) as h (handler)
       left join test_effects f on f.event_id = e.id and f.handler = h.handler and f.tenant_id = e.tenant_id
       group by e.id, h.handler)
     select (select count(*)::int from test_effects) as effects,
       (count(*) filter (where n = 0))::int as lost, (count(*) filter (where n > 1))::int as twice from pairs`,
  )
  return { effects: row?.effects ?? 0, lost: row?.lost ?? 0, twice: row?.twice ?? 0, left }
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const ended = once(child, 'exit')
  child.kill('SIGKILL')
  await ended
}
