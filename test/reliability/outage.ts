/** Takes the database away under load, in whatever way it is told; then looks whether all came back, and nothing twice. */
import { setTimeout as pause } from 'node:timers/promises'
import { SECOND } from '../../kernel/base/units.ts'
import { type Client, type Person, startTestKernel, type TestKernel } from '../../testing/index.ts'
import { newEmail } from '../modules/identity/fixtures.ts'
import { connectAsOwner, type OwnerClient } from './fixtures.ts'

export interface Outage {
  /** Answers by status. */
  readonly statuses: Readonly<Record<string, number>>
  /** 503 without Retry-After. */
  readonly rude: number
  /** Milliseconds from the return of the database to an answer of 200, for each time that it was away. */
  readonly back: readonly number[]
  /** Keys that were answered 201 and are not there, or are there more often than they were asked for. */
  readonly wrong: number
  /** Events of people who came after the last return and were not welcomed. */
  readonly unwelcome: number
}
export interface OutageOptions {
  /** An empty database; one of the test's own unless given. */
  readonly database?: string
  readonly times: number
  /** Resolves when the database is there again. */
  away(owner: OwnerClient): Promise<void>
}

const LANES = 12
/** Milliseconds of load between two outages. */
const BETWEEN = 400
const PATIENCE = 30 * SECOND

/** Connections of every process of this database but the test's own. */
export const cut = async ({ query }: OwnerClient): Promise<void> => {
  await query(
    `select pg_terminate_backend(pid) from pg_stat_activity
     where datname = current_database() and application_name like 'larder%' and pid <> pg_backend_pid()`,
  )
}

export async function loseDatabase({ database, times, away }: OutageOptions): Promise<Outage> {
  const kernel = await startTestKernel({ recipe: { modules: { identity: {}, comms: {} } }, database })
  const owner = connectAsOwner(kernel.databaseUrl)
  try {
    return await lose(kernel, owner, times, away)
  } finally {
    await owner.end()
    await kernel.stop()
  }
}

async function lose(
  kernel: TestKernel,
  owner: OwnerClient,
  times: number,
  away: OutageOptions['away'],
): Promise<Outage> {
  const ada = await kernel.register(newEmail('ada'))
  const statuses: Record<string, number> = {}
  let rude = 0
  let asked = 0
  let made = 0
  let running = true
  const note = ({ status, headers }: Awaited<ReturnType<Client['get']>>) => {
    statuses[status] = (statuses[status] ?? 0) + 1
    if (status === 503 && !headers.get('retry-after')) rude++
    if (status === 503) return pause(20)
    return undefined
  }
  const lane = async () => {
    while (running) {
      await note(await ada.get('/v1/identity/members'))
      asked++
      const answer = await ada.post('/v1/identity/api-keys', { name: 'load' })
      if (answer.status === 201) made++
      await note(answer)
    }
  }
  const lanes = Promise.all(Array.from({ length: LANES }, lane))
  const back: number[] = []
  for (let n = 0; n < times; n++) {
    await pause(BETWEEN)
    await away(owner)
    back.push(await untilBack(kernel, ada))
  }
  running = false
  await lanes
  const there = await owner.value(`select count(*)::int from identity_api_keys where name = 'load'`)
  const wrong = there < made ? made - there : Math.max(0, there - asked)
  return { statuses, rude, back, wrong, unwelcome: await unwelcome(kernel) }
}

async function untilBack(kernel: TestKernel, person: Person): Promise<number> {
  const started = performance.now()
  for (;;) {
    const [ready, read] = await Promise.all([kernel.get('/v1/health/readiness'), person.get('/v1/identity/members')])
    const passed = performance.now() - started
    if (ready.status === 200 && read.status === 200) return passed
    if (passed > PATIENCE) throw new Error(`still ${ready.status} and ${read.status} after ${PATIENCE / SECOND} s`)
    await pause(20)
  }
}

/** The worker of the same process has come back too: who registers now is welcomed, once. */
async function unwelcome(kernel: TestKernel): Promise<number> {
  const people = await Promise.all([1, 2, 3].map(n => kernel.register(newEmail(`late${n}`))))
  await kernel.settled()
  let missing = 0
  for (const { email } of people) {
    const path = `/v1/communications/mailbox?filter[to]=${encodeURIComponent(email)}`
    if ((await kernel.get<{ data: unknown[] }>(path)).body.data.length !== 1) missing++
  }
  return missing
}
