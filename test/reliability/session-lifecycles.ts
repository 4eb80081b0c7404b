/** Sessions that many accept, end and sweep at once while time passes, against the table of their states. */
import { MINUTE } from '../../kernel/base/units.ts'
import { createSweeper } from '../../modules/sessions/services/session-sweeper.ts'
import { type Created, create, manualClock, type SessionBody, startSessions } from '../modules/sessions/fixtures.ts'
import { asOwner, atOnce, createRandom, type Owner, type Random } from './fixtures.ts'

export interface Lived {
  /** Steps that the table does not have, as somebody saw them or as they were told. */
  readonly illegal: readonly string[]
  /** Sessions by what became of them. */
  readonly ends: Readonly<Record<string, number>>
  /** Answers to those who accepted and ended, by status. */
  readonly answers: Readonly<Record<string, number>>
}

const NEXT: Readonly<Record<string, readonly string[]>> = {
  created: ['accepted', 'ended', 'expired'],
  accepted: ['ended'],
  ended: [],
  expired: [],
}

export async function walkLives(options: { sessions: number; rounds: number; seed: number }): Promise<Lived> {
  const clock = manualClock()
  const kernel = await startSessions({ maxDuration: '1h' }, { clock, role: 'web' })
  const owner = asOwner(kernel.databaseUrl)
  const random = createRandom(options.seed)
  const illegal: string[] = []
  const answers: Record<string, number> = {}
  const seen = new Map<string, string>()
  try {
    const ada = await kernel.register('ada@example.test')
    const all: Created[] = []
    await atOnce(options.sessions, 8, async () => {
      all.push(await create(ada, { ttl_seconds: 60 + random.below(3000) }))
    })
    const sweep = createSweeper(kernel.kernel.ports)

    const act = async (session: Created): Promise<void> => {
      const deed = random.below(5)
      if (deed === 4) return sweep()
      const path = `/v1/sessions/${session.id}/${deed === 3 ? 'end' : 'accept'}`
      const caller = deed === 0 ? kernel : ada
      const { status } = await caller.post(path, deed === 0 ? { join_token: session.join_token } : undefined)
      answers[status] = (answers[status] ?? 0) + 1
    }
    const look = async ({ id }: Created): Promise<void> => {
      const { status } = (await ada.get<SessionBody>(`/v1/sessions/${id}`)).body
      const was = seen.get(id) ?? 'created'
      if (status !== was && !NEXT[was]?.includes(status)) illegal.push(`${id} was seen ${was}, then ${status}`)
      seen.set(id, status)
    }

    for (let round = 0; round < options.rounds; round++) {
      const some = pickSome(all, random)
      await Promise.all(some.flatMap(session => Array.from({ length: 1 + random.below(4) }, () => act(session))))
      await Promise.all(some.map(look))
      if (random.chance(0.3)) clock.forward(random.below(8) * MINUTE)
    }
    await sweep()
    await atOnce(all.length, 8, n => look(all[n] as Created))
    illegal.push(...(await told(owner, seen)))
  } finally {
    await owner.end()
    await kernel.stop()
  }
  const ends: Record<string, number> = {}
  for (const status of seen.values()) ends[status] = (ends[status] ?? 0) + 1
  return { illegal, ends, answers }
}

const pickSome = <T>(all: readonly T[], random: Random): T[] => [
  ...new Set(Array.from({ length: 3 }, () => random.pick(all))),
]

/** Of every session: numbered from one without a gap, each step one of the table, the last one what is seen. */
async function told({ query }: Owner, seen: ReadonlyMap<string, string>): Promise<string[]> {
  const rows = await query<{ subject: string; status: string; sequence: number }>(
    `select subject, payload ->> 'status' as status, (payload ->> 'sequence')::int as sequence from larder_events
     where type like 'sessions.session.%' and payload ? 'sequence' order by subject, 3`,
  )
  const wrong: string[] = []
  const last = new Map<string, { status: string; sequence: number }>()
  for (const { subject, ...step } of rows) {
    const before = last.get(subject)
    const legal = before ? NEXT[before.status]?.includes(step.status) : step.status === 'created'
    if (!legal || step.sequence !== (before?.sequence ?? 0) + 1)
      wrong.push(`${subject} was told ${JSON.stringify(step)} after ${JSON.stringify(before)}`)
    last.set(subject, step)
  }
  for (const [id, status] of seen)
    if (last.get(id)?.status !== status) wrong.push(`${id} is ${status} and was told ${last.get(id)?.status}`)
  return wrong
}
