/** Interrupts the database under load, then checks that everything recovers and that no write is lost or repeated. */
import { setTimeout as pause } from 'node:timers/promises'
import { SECOND } from '../../kernel/base/units.ts'
import { type Client, type Person, startTestKernel, type TestKernel } from '../../testing/index.ts'
import { newEmail } from '../modules/identity/fixtures.ts'
import { connectAsOwner, type OwnerClient } from './fixtures.ts'

export interface Outage {
  /** Number of responses by status. */
  readonly statuses: Readonly<Record<string, number>>
  /** 503 responses without `Retry-After`. */
  readonly withoutRetryAfter: number
  /** Milliseconds from the end of each outage to the first 200. */
  readonly recoveryMs: readonly number[]
  /** API keys that are missing despite a 201, or that exist without a request. */
  readonly inconsistentKeys: number
  /** Users registered after the last outage who did not get exactly one welcome email. */
  readonly withoutWelcome: number
}
export interface OutageOptions {
  /** An empty database. By default, the test creates one. */
  readonly database?: string
  readonly times: number
  /** Interrupts the database. Resolves once it is available again. */
  interrupt(owner: OwnerClient): Promise<void>
}

const CONCURRENCY = 12
/** Load between two outages. */
const LOAD_MS = 400
const RECOVERY_TIMEOUT_MS = 30 * SECOND

/** Terminates the connections of all Larder processes. */
export const terminateConnections = async ({ query }: OwnerClient): Promise<void> => {
  await query(
    `select pg_terminate_backend(pid) from pg_stat_activity
     where datname = current_database() and application_name like 'larder%' and pid <> pg_backend_pid()`,
  )
}

export async function loseDatabase({ database, times, interrupt }: OutageOptions): Promise<Outage> {
  const kernel = await startTestKernel({ recipe: { modules: { identity: {}, comms: {} } }, database })
  const owner = connectAsOwner(kernel.databaseUrl)
  try {
    return await run(kernel, owner, times, interrupt)
  } finally {
    await owner.end()
    await kernel.stop()
  }
}

async function run(
  kernel: TestKernel,
  owner: OwnerClient,
  times: number,
  interrupt: OutageOptions['interrupt'],
): Promise<Outage> {
  const ada = await kernel.register(newEmail('ada'))
  const statuses: Record<string, number> = {}
  let withoutRetryAfter = 0
  let requested = 0
  let created = 0
  let running = true
  const record = ({ status, headers }: Awaited<ReturnType<Client['get']>>) => {
    statuses[status] = (statuses[status] ?? 0) + 1
    if (status === 503 && !headers.get('retry-after')) withoutRetryAfter++
    if (status === 503) return pause(20)
    return undefined
  }
  const worker = async () => {
    while (running) {
      await record(await ada.get('/v1/identity/members'))
      requested++
      const response = await ada.post('/v1/identity/api-keys', { name: 'load' })
      if (response.status === 201) created++
      await record(response)
    }
  }
  const workers = Promise.all(Array.from({ length: CONCURRENCY }, worker))
  const recoveryMs: number[] = []
  for (let n = 0; n < times; n++) {
    await pause(LOAD_MS)
    await interrupt(owner)
    recoveryMs.push(await untilRecovered(kernel, ada))
  }
  running = false
  await workers
  const stored = await owner.value(`select count(*)::int from identity_api_keys where name = 'load'`)
  const inconsistentKeys = stored < created ? created - stored : Math.max(0, stored - requested)
  return {
    statuses,
    withoutRetryAfter,
    recoveryMs,
    inconsistentKeys,
    withoutWelcome: await countWithoutWelcome(kernel),
  }
}

async function untilRecovered(kernel: TestKernel, person: Person): Promise<number> {
  const started = performance.now()
  for (;;) {
    const [ready, read] = await Promise.all([kernel.get('/v1/health/readiness'), person.get('/v1/identity/members')])
    const elapsed = performance.now() - started
    if (ready.status === 200 && read.status === 200) return elapsed
    if (elapsed > RECOVERY_TIMEOUT_MS)
      throw new Error(`still ${ready.status} and ${read.status} after ${RECOVERY_TIMEOUT_MS / SECOND} s`)
    await pause(20)
  }
}

/** Registers users, which needs the worker of the process. Returns how many did not get exactly one welcome email. */
async function countWithoutWelcome(kernel: TestKernel): Promise<number> {
  const people = await Promise.all([1, 2, 3].map(n => kernel.register(newEmail(`late${n}`))))
  await kernel.settled()
  let missing = 0
  for (const { email } of people) {
    const path = `/v1/communications/mailbox?filter[to]=${encodeURIComponent(email)}`
    if ((await kernel.get<{ data: unknown[] }>(path)).body.data.length !== 1) missing++
  }
  return missing
}
