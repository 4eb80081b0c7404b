import test, { type ExecutionContext } from 'ava'
import { Problem } from '../../../kernel/base/problem.ts'
import type { Connection } from '../../../services/postgres/connection.ts'
import { metrics } from '../../../services/postgres/metrics.ts'
import { type OpenDatabase, openDatabase } from '../../../services/postgres/open.ts'
import { waitFor } from '../../fixtures/wait.ts'
import { insert, log, secret, sets } from './fixtures.ts'
import { createProxy } from './proxy.ts'
import { query, type Replication, startReplication } from './replication.ts'

const CONNECTIONS = 4

type Address = Awaited<ReturnType<typeof createProxy>>

const ends: (() => Promise<void>)[] = []
let servers: Replication
test.before(async () => {
  servers = await startReplication({ teardown: end => void ends.push(end) })
})
test.after.always(async () => {
  for (const end of ends) await end()
})

interface Installation extends Replication {
  readonly db: OpenDatabase
  /** The address of the database. It leads to the primary. */
  readonly proxy: Address
}

async function createInstallation(t: ExecutionContext): Promise<Installation> {
  const proxy = await createProxy(servers.primary)
  const db = await openDatabase({ ...options(proxy), maxConnections: CONNECTIONS })
  t.teardown(async () => {
    await db.close()
    proxy.close()
  })
  await db.migrate(sets)
  await waitFor(() => query(servers.standby, 'select from test_things').then(Boolean, () => false))
  return { ...servers, db, proxy }
}

const options = ({ port }: Address) => ({
  ownerUrl: Object.assign(new URL(servers.primary), { port }).href,
  secrets: [secret],
  log,
})

let lastId = 0
const write = ({ database }: OpenDatabase): Promise<unknown> => {
  const id = String(++lastId)
  return database.tenant('ten_a').query(insert, ['ten_a', id, id])
}
const read = ({ database }: OpenDatabase): Promise<unknown> => database.tenant('ten_a').query('select from test_things')

/** `ok`, or the code of the problem. */
const outcomeOf = (work: Promise<unknown>): Promise<string> =>
  work.then(
    () => 'ok',
    error => (Problem.is(error) ? error.code : String(error)),
  )

/** The outcomes of concurrent reads and writes that use every connection of the pool. */
async function outcomes(db: OpenDatabase): Promise<Set<string>> {
  const works = Array.from({ length: 5 * CONNECTIONS }, (_, at) => outcomeOf(at % 2 === 0 ? read(db) : write(db)))
  return new Set(await Promise.all(works))
}

/** Connections of the app role at this server, including those of the pool. */
const appConnections = (server: URL) =>
  query(server, "select pid from pg_stat_activity where usename like 'larder_app%' and application_name = 'larder'")

test.serial('a standby answers no request, and the primary does once the address leads to it again', async t => {
  const { db, proxy, primary, standby } = await createInstallation(t)
  t.deepEqual(await outcomes(db), new Set(['ok']))
  proxy.switchTo(standby)
  proxy.cut()
  for (let times = 0; times < 3; times++) t.deepEqual(await outcomes(db), new Set(['database_unavailable']))
  t.is(await outcomeOf(db.ready()), 'database_unavailable')
  // The proxy leaves connections to the standby open.
  proxy.switchTo(primary)
  await waitFor(async () => (await outcomeOf(write(db))) === 'ok')
  for (let times = 0; times < 10; times++) t.deepEqual(await outcomes(db), new Set(['ok']))
  t.is(await outcomeOf(db.ready()), 'ok')
  t.deepEqual(await appConnections(standby), [])
})

async function setReadOnly(server: URL, value: 'on' | 'off'): Promise<void> {
  await query(server, `alter system set default_transaction_read_only = ${value}`)
  await query(server, 'select pg_reload_conf()')
}

test.serial('open connections are closed when their server becomes read-only', async t => {
  const { db, primary } = await createInstallation(t)
  await outcomes(db)
  const before = await appConnections(primary)
  t.true(before.length > 0)
  await setReadOnly(primary, 'on')
  await waitFor(async () => (await outcomeOf(write(db))) === 'database_unavailable')
  await waitFor(async () => (await outcomeOf(db.ready())) === 'database_unavailable')
  await setReadOnly(primary, 'off')
  await waitFor(async () => (await outcomeOf(write(db))) === 'ok')
  t.deepEqual(await outcomes(db), new Set(['ok']))
  const remaining = await appConnections(primary)
  t.deepEqual(
    remaining.filter(({ pid }) => before.some(other => other.pid === pid)),
    [],
  )
})

test.serial('readiness fails while the server of an open connection is read-only', async t => {
  const { db, primary } = await createInstallation(t)
  await db.ready()
  await setReadOnly(primary, 'on')
  await waitFor(async () => (await outcomeOf(db.ready())) === 'database_unavailable')
  await setReadOnly(primary, 'off')
  await waitFor(async () => (await outcomeOf(db.ready())) === 'ok')
  t.pass()
})

test.serial('a commit that was canceled while it waited for a standby is no success', async t => {
  const { db, primary } = await createInstallation(t)
  const inUnit = () => db.database.tenant('ten_a').transaction(() => write(db))
  await setSynchronousStandby(primary, 'nobody')
  for (const work of [() => write(db), inUnit]) {
    let isWaiting = false
    // The server applies the setting in a moment.
    const lastOutcome = async () => {
      for (;;) {
        const outcome = await outcomeOf(work())
        if (isWaiting || outcome !== 'ok') return outcome
      }
    }
    const outcome = lastOutcome()
    await waitFor(async () => (await query(primary, `select from ${WAITING_COMMITS}`)).length > 0)
    isWaiting = true
    await query(primary, `select pg_cancel_backend(pid) from ${WAITING_COMMITS}`)
    t.is(await outcome, 'database_unavailable')
  }
  await setSynchronousStandby(primary, '')
  await waitFor(async () => (await outcomeOf(write(db))) === 'ok')
})

const WAITING_COMMITS = `pg_stat_activity where wait_event = 'SyncRep' and application_name = 'larder'`

async function setSynchronousStandby(server: URL, name: string): Promise<void> {
  await query(server, `alter system set synchronous_standby_names = '${name}'`)
  await query(server, 'select pg_reload_conf()')
}

test.serial('a start waits until the address leads to the primary, and names a standby', async t => {
  const proxy = await createProxy(servers.standby)
  t.teardown(async () => proxy.close())
  const error = await t.throwsAsync(openDatabase(options(proxy)))
  t.regex(error?.message ?? '', /^PostgreSQL at 127\.0\.0\.1:\d+\/larder is read-only: it is a standby/)
  const opening = openDatabase({ ...options(proxy), waitMs: 60_000 })
  proxy.switchTo(servers.primary)
  const db = await opening
  t.is(await outcomeOf(db.migrate(sets)), 'ok')
  await db.close()
})

test.serial('metrics show the lag of a standby to a member of pg_read_all_stats, and none to others', async t => {
  const { db, primary } = await createInstallation(t)
  const lag = metrics({ connection: { db } as Connection }).find(
    ({ name }) => name === 'larder_database_replica_lag_bytes',
  )
  t.deepEqual(await lag?.read(), [])
  const system = db.roles.roles.system
  await query(primary, `grant pg_read_all_stats to ${system}`)
  await waitFor(async () => (await lag?.read())?.length === 1)
  const values = await lag?.read()
  t.deepEqual(Object.keys(values?.[0]?.labels ?? {}), ['replica'])
  t.true((values?.[0]?.value ?? -1) >= 0)
  await query(primary, `revoke pg_read_all_stats from ${system}`)
})

test.serial('a standby that is promoted answers requests without a restart', async t => {
  const { db, proxy, standby } = await createInstallation(t)
  t.deepEqual(await outcomes(db), new Set(['ok']))
  proxy.switchTo(standby)
  proxy.cut()
  t.deepEqual(await outcomes(db), new Set(['database_unavailable']))
  await query(standby, 'select pg_promote()')
  await waitFor(async () => (await outcomeOf(write(db))) === 'ok')
  t.deepEqual(await outcomes(db), new Set(['ok']))
})
