/** Processes an outbox while its workers are killed, and counts lost and repeated effects. */
import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { waitFor } from '../../fixtures/wait.ts'
import { createOutboxFixture, type OutboxFixture } from './fixtures.ts'

export interface KillScenario {
  readonly events: number
  /** Number of SIGKILLs, randomly distributed over the run. */
  readonly kills: number
  readonly workers: number
}
export interface KillResult {
  readonly effects: number
  /** Pairs of event and handler without an effect. */
  readonly lost: number
  /** Pairs with more than one effect. */
  readonly duplicates: number
  /** Number of undispatched events at each kill. */
  readonly pendingAtKills: readonly number[]
}

const TENANTS = 20
const HANDLERS = 2
const TIMEOUT_SECONDS = 600
const worker = fileURLToPath(new URL('./worker.js', import.meta.url))

export async function drainWithKilledWorkers({ events, kills, workers }: KillScenario): Promise<KillResult> {
  const fixture = await createOutboxFixture()
  const start = () => fork(worker, [fixture.ownerUrl], { stdio: 'inherit' })
  const children = Array.from({ length: workers }, start)
  try {
    await publish(fixture, events)
    const pendingAtKills: number[] = []
    for (let kill = 0; kill < kills; kill++) {
      const at = (events * HANDLERS * (kill + Math.random())) / (kills + 1)
      await waitFor(async () => (await count(fixture, 'test_effects')) >= at, Boolean, TIMEOUT_SECONDS)
      const victim = Math.floor(Math.random() * workers)
      await end(children[victim] as ChildProcess)
      pendingAtKills.push(await count(fixture, 'larder_events where dispatched_at is null'))
      children[victim] = start()
    }
    await waitFor(
      async () =>
        (await count(fixture, 'larder_events where dispatched_at is null')) +
          (await count(fixture, `larder_deliveries where state = 'pending'`)) ===
        0,
      Boolean,
      TIMEOUT_SECONDS,
    )
    return await countEffects(fixture, pendingAtKills)
  } finally {
    await Promise.all(children.map(end))
    await fixture.end()
  }
}

async function publish({ db, events }: OutboxFixture, count: number): Promise<void> {
  for (let first = 0; first < count; first += 100) {
    const tenantId = `ten_${(first / 100) % TENANTS}`
    const many = Array.from({ length: Math.min(100, count - first) }, (_, n) =>
      events.publishStep('test.thing.made', { tenantId, payload: { n: first + n } }),
    )
    await db.database.tenant(tenantId).all(many)
  }
}

async function count(fixture: OutboxFixture, from: string): Promise<number> {
  const [row] = await fixture.asOwner<{ n: number }>(`select count(*)::int as n from ${from}`)
  return row?.n ?? 0
}

async function countEffects(fixture: OutboxFixture, pendingAtKills: readonly number[]): Promise<KillResult> {
  const [row] = await fixture.asOwner<{ effects: number; lost: number; duplicates: number }>(
    `with pairs as (select e.id, h.handler, count(f.*)::int as n
       from larder_events e cross join (values ('a'), ('b')) as h (handler)
       left join test_effects f on f.event_id = e.id and f.handler = h.handler and f.tenant_id = e.tenant_id
       group by e.id, h.handler)
     select (select count(*)::int from test_effects) as effects,
       (count(*) filter (where n = 0))::int as lost, (count(*) filter (where n > 1))::int as duplicates from pairs`,
  )
  return { effects: row?.effects ?? 0, lost: row?.lost ?? 0, duplicates: row?.duplicates ?? 0, pendingAtKills }
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const ended = once(child, 'exit')
  child.kill('SIGKILL')
  await ended
}
