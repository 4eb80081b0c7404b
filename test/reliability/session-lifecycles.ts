/** Accepts, ends and expires sessions concurrently while time passes, and checks every observed transition. */
import { MINUTE } from '../../kernel/base/units.ts'
import { createSweeper } from '../../modules/sessions/services/session-sweeper.ts'
import { type Created, create, manualClock, startSessions } from '../modules/sessions/fixtures.ts'
import { connectAsOwner, createRandom, type OwnerClient, type Random, runConcurrently } from './fixtures.ts'

export interface LifecycleResult {
  /** Transitions outside `TRANSITIONS`, in API responses or in events. */
  readonly illegalTransitions: readonly string[]
  /** Number of sessions by final status. */
  readonly ends: Readonly<Record<string, number>>
  /** Number of responses to accept and end, by HTTP status. */
  readonly responses: Readonly<Record<string, number>>
}

const TRANSITIONS: Readonly<Record<string, readonly string[]>> = {
  created: ['accepted', 'ended', 'expired'],
  accepted: ['ended'],
  ended: [],
  expired: [],
}

export async function runSessionLifecycles(options: {
  sessions: number
  rounds: number
  seed: number
}): Promise<LifecycleResult> {
  const clock = manualClock()
  const kernel = await startSessions({ maxDuration: '1h' }, { clock, role: 'web' })
  const owner = connectAsOwner(kernel.databaseUrl)
  const random = createRandom(options.seed)
  const illegalTransitions: string[] = []
  const responses: Record<string, number> = {}
  const seen = new Map<string, string>()
  try {
    const ada = await kernel.register('ada@example.test')
    const all: Created[] = []
    await runConcurrently(options.sessions, 8, async () => {
      all.push(await create(ada, { ttl_seconds: 60 + random.below(3000) }))
    })
    const sweep = createSweeper(kernel.kernel.ports)

    const act = async (session: Created): Promise<void> => {
      const action = random.below(5)
      if (action === 4) return sweep()
      const path = `/v1/sessions/${session.id}/${action === 3 ? 'end' : 'accept'}`
      const caller = action === 0 ? kernel : ada
      const { status } = await caller.post(path, action === 0 ? { join_token: session.join_token } : undefined)
      responses[status] = (responses[status] ?? 0) + 1
    }
    const observe = async ({ id }: Created): Promise<void> => {
      const { status } = (await ada.get(`/v1/sessions/${id}`)).body
      const previous = seen.get(id) ?? 'created'
      if (status !== previous && !TRANSITIONS[previous]?.includes(status))
        illegalTransitions.push(`${id}: ${previous} → ${status}`)
      seen.set(id, status)
    }

    for (let round = 0; round < options.rounds; round++) {
      const chosen = pickSome(all, random)
      await Promise.all(chosen.flatMap(session => Array.from({ length: 1 + random.below(4) }, () => act(session))))
      await Promise.all(chosen.map(observe))
      if (random.chance(0.3)) clock.forward(random.below(8) * MINUTE)
    }
    await sweep()
    await runConcurrently(all.length, 8, n => observe(all[n] as Created))
    illegalTransitions.push(...(await illegalEvents(owner, seen)))
  } finally {
    await owner.end()
    await kernel.stop()
  }
  const ends: Record<string, number> = {}
  for (const status of seen.values()) ends[status] = (ends[status] ?? 0) + 1
  return { illegalTransitions, ends, responses }
}

const pickSome = <T>(all: readonly T[], random: Random): T[] => [
  ...new Set(Array.from({ length: 3 }, () => random.pick(all))),
]

/** The events of a session are numbered from 1 without gaps, follow `TRANSITIONS` and end with the observed status. */
async function illegalEvents({ query }: OwnerClient, seen: ReadonlyMap<string, string>): Promise<string[]> {
  const rows = await query<{ subject: string; status: string; sequence: number }>(
    `select subject, payload ->> 'status' as status, (payload ->> 'sequence')::int as sequence from larder_events
     where type like 'sessions.session.%' and payload ? 'sequence' order by subject, 3`,
  )
  const illegal: string[] = []
  const last = new Map<string, { status: string; sequence: number }>()
  for (const { subject, ...event } of rows) {
    const previous = last.get(subject)
    const legal = previous ? TRANSITIONS[previous.status]?.includes(event.status) : event.status === 'created'
    if (!legal || event.sequence !== (previous?.sequence ?? 0) + 1)
      illegal.push(`${subject}: event ${JSON.stringify(event)} after ${JSON.stringify(previous)}`)
    last.set(subject, event)
  }
  for (const [id, status] of seen)
    if (last.get(id)?.status !== status)
      illegal.push(`${id}: status ${status}, but the last event has ${last.get(id)?.status}`)
  return illegal
}
