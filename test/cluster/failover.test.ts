/** A process under load while its database fails over: no confirmed write is lost, and it recovers without a restart. */
import { setTimeout as pause } from 'node:timers/promises'
import test from 'ava'
import { registerAt } from '../fixtures/register-at.ts'
import { waitFor } from '../fixtures/wait.ts'
import { createInstallation, type LarderProcess } from '../reliability/processes.ts'
import { RECIPE } from '../system/pooled-requests.ts'
import { startCluster } from './patroni.ts'

const WRITERS = 6
const MAX_OUTAGE_MS = 30_000
const UNHANDLED = 'select count(*)::int from larder_events where dispatched_at is null and occurred_at < $1'

interface Load {
  readonly confirmed: ReadonlySet<string>
  /** Outcomes other than 201 and 503 `database_unavailable` with `Retry-After`. */
  readonly unexpected: readonly string[]
  /** The number of 503. */
  unavailable: number
  /** The longest time without a confirmed write, in milliseconds. */
  longestOutageMs: number
  /** Resolves after writes that were confirmed from now on. */
  recovered(): Promise<void>
  end(): Promise<void>
}

/** Writes rows until `end`, each with its own key. */
function startLoad({ url }: LarderProcess, token: string): Load {
  const confirmed = new Set<string>()
  const unexpected: string[] = []
  let last = 0
  let confirmedAt = performance.now()
  let isEnding = false
  const load: Load = { confirmed, unexpected, unavailable: 0, longestOutageMs: 0, recovered, end }

  async function write(): Promise<void> {
    const key = `row ${++last}`
    const response = await fetch(`${url}/v1/data/books`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json', connection: 'close' },
      body: JSON.stringify({ key, pages: last }),
    })
    const text = await response.text()
    if (response.status === 201) {
      confirmed.add(key)
      load.longestOutageMs = Math.max(load.longestOutageMs, performance.now() - confirmedAt)
      confirmedAt = performance.now()
    } else if (
      response.status === 503 &&
      text.includes('database_unavailable') &&
      response.headers.has('retry-after')
    ) {
      load.unavailable++
      await pause(100)
    } else unexpected.push(`${response.status} ${text}`)
  }
  const writing = Array.from({ length: WRITERS }, async () => {
    while (!isEnding) await write().catch(error => unexpected.push(String(error)))
  })

  async function recovered(): Promise<void> {
    const before = confirmed.size
    await waitFor(() => confirmed.size > before + 2 * WRITERS, Boolean, MAX_OUTAGE_MS / 1000)
  }
  async function end(): Promise<void> {
    isEnding = true
    await Promise.all(writing)
  }
  return load
}

test('no confirmed write is lost when the primary is killed, switched over or cut off from etcd', async t => {
  const cluster = await startCluster(t)
  const larder = await createInstallation(t, { databaseUrl: cluster.url, recipe: RECIPE })
  const web = await larder.startProcess('web')
  const worker = await larder.startProcess('worker')
  const isReady = async () => (await fetch(`${web.url}/v1/health/readiness`)).status === 200
  const { token } = await registerAt(web.url)
  const load = startLoad(web, token)
  await load.recovered()

  const faults: Record<string, () => Promise<() => unknown>> = {
    'primary killed': cluster.killPrimary,
    switchover: async () => cluster.switchover().then(() => () => {}),
    'primary cut off from etcd': cluster.partitionPrimary,
  }
  for (const [name, cause] of Object.entries(faults)) {
    load.longestOutageMs = 0
    const repair = await cause()
    await load.recovered()
    await waitFor(isReady)
    t.log(`${name}: ${(load.longestOutageMs / 1000).toFixed(1)} s without a confirmed write`)
    t.true(load.longestOutageMs < MAX_OUTAGE_MS, name)
    repair()
    await cluster.healthy()
    await load.recovered()
    // The worker handles the events of a sign-up.
    await t.notThrowsAsync(registerAt(web.url, `${name.replaceAll(' ', '-')}@example.test`, { connection: 'close' }))
    const signedUp = new Date()
    const pending = () => larder.owner.value(UNHANDLED, [signedUp])
    await waitFor(async () => (await pending().catch(() => 1)) === 0)
  }

  await load.end()
  const stored = await larder.owner.query<{ key: string }>(`select "key" from data_books`)
  const keys = new Set(stored.map(({ key }) => key))
  t.log(`${load.confirmed.size} writes confirmed, ${load.unavailable} refused`)
  t.deepEqual(
    [...load.confirmed].filter(key => !keys.has(key)),
    [],
  )
  t.deepEqual(load.unexpected, [])
  t.deepEqual([web.child.exitCode, worker.child.exitCode], [null, null])
})
