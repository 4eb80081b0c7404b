import { performance } from 'node:perf_hooks'
import { setTimeout as pause } from 'node:timers/promises'
import test, { type ExecutionContext } from 'ava'
import { Problem } from '../../../kernel/base/problem.ts'
import { type OpenDatabase, openDatabase } from '../../../services/postgres/open.ts'
import { createTestDatabase } from '../../../services/postgres/testing.ts'
import { waitFor } from '../../fixtures/wait.ts'
import { createGate, insert, log, secret, sets } from './fixtures.ts'
import { createProxy } from './proxy.ts'

const READ_MS = 200
const WRITE_MS = 600
/** Time enough for a database that responds, also on a busy machine. */
const RESPONSE_MS = 2000
const LATE_MS = 100

const isUnavailable = (error: unknown): boolean =>
  Problem.is(error) && error.code === 'database_unavailable' && error.status === 503 && 'retry-after' in error.headers

async function createHangingDatabase(t: ExecutionContext, readMs = READ_MS, writeMs = WRITE_MS) {
  const { ownerUrl, drop } = await createTestDatabase({ migrations: sets, log })
  const proxy = await createProxy(new URL(ownerUrl))
  const db = await openDatabase({
    ownerUrl: Object.assign(new URL(ownerUrl), { port: proxy.port }).href,
    secrets: [secret],
    log,
    checkoutTimeoutMs: RESPONSE_MS,
    readTimeoutMs: readMs,
    writeTimeoutMs: writeMs,
    lateCommitMs: LATE_MS,
  })
  t.teardown(async () => {
    proxy.close()
    await db.close()
    await drop()
  })
  return { db, ...proxy }
}

async function timed(work: () => Promise<unknown>): Promise<{ error: unknown; ms: number }> {
  const start = performance.now()
  const error = await work().then(
    () => undefined,
    (error: unknown) => error,
  )
  return { error, ms: performance.now() - start }
}

const read = ({ database }: OpenDatabase) => database.tenant('ten_a').query('select id from test_things')
const write = ({ database }: OpenDatabase, id: string) => database.tenant('ten_a').query(insert, ['ten_a', id, id])

/** Whether the work is rejected without waiting for anything: before the event loop turns. */
async function failsAtOnce(work: () => Promise<unknown>): Promise<boolean> {
  let turned = false
  setImmediate(() => {
    turned = true
  })
  const { error } = await timed(work)
  return isUnavailable(error) && !turned
}

/** On a busy machine, the first responses may exceed the short timeouts. */
const succeeds = (work: () => Promise<unknown>) => waitFor(async () => (await timed(work)).error === undefined)

/** Statements of this database with the word that have not ended. */
const runningStatements = async (db: OpenDatabase, word: string) =>
  db.withOwner(
    async client =>
      (
        await client.query(
          `select query from pg_stat_activity
           where datname = current_database() and state = 'active' and pid <> pg_backend_pid() and query like $1`,
          [`%${word}%`],
        )
      ).rows,
  )

/** Short statements could share one. */
async function openTwoConnections({ database }: OpenDatabase): Promise<void> {
  let started = 0
  const transaction = () =>
    database.tenant('ten_a').transaction(async unit => {
      await unit.query('select id from test_things')
      started++
      await waitFor(() => started === 2)
    })
  await Promise.all([transaction(), transaction()])
}

test('a read without a response fails after the read timeout, a write after the write timeout', async t => {
  const { db, hang } = await createHangingDatabase(t)
  await succeeds(() => openTwoConnections(db))
  hang()
  const [readResult, writeResult] = await Promise.all([timed(() => read(db)), timed(() => write(db, 'a'))])
  t.true(isUnavailable(readResult.error))
  t.true(isUnavailable(writeResult.error))
  t.true(readResult.ms >= READ_MS, `${readResult.ms}`)
  t.true(writeResult.ms >= WRITE_MS, `${writeResult.ms}`)
  // Both wait for the same busy machine.
  t.true(readResult.ms < writeResult.ms, `${readResult.ms} ${writeResult.ms}`)
})

test('a read fails if the server hangs as soon as it has accepted the connection', async t => {
  const { db, hangAt } = await createHangingDatabase(t)
  void hangAt('client_connection_check_interval')
  t.true(isUnavailable((await timed(() => read(db))).error))
})

test('a transaction without a response fails after the write timeout', async t => {
  const { db, hang } = await createHangingDatabase(t)
  const { error, ms } = await timed(() =>
    db.database.tenant('ten_a').transaction(async unit => {
      await unit.query(insert, ['ten_a', 'a', 'a'])
      hang()
      await unit.query('select id from test_things')
    }),
  )
  t.true(isUnavailable(error))
  t.true(ms >= WRITE_MS, `${ms}`)
})

test('statements fail at once while the database hangs, and succeed when it responds again', async t => {
  const { db, hang, resume } = await createHangingDatabase(t)
  await succeeds(() => read(db))
  hang()
  await timed(() => read(db))
  await waitFor(() => failsAtOnce(() => read(db)))
  for (let times = 0; times < 20; times++) t.true(await failsAtOnce(() => write(db, 'a')))
  t.true(isUnavailable((await timed(() => db.ready())).error))
  resume()
  await succeeds(() => read(db))
  await t.notThrowsAsync(Promise.all(Array.from({ length: 10 }, (_, id) => write(db, String(id)))))
})

test('a slow read ends on the server with its own problem, and keeps its connection', async t => {
  const { db } = await createHangingDatabase(t)
  await succeeds(() => read(db))
  const pids = async () => (await db.database.tenant('ten_a').query('select pg_backend_pid()')).rows
  const before = await pids()
  const error = await t.throwsAsync(db.database.tenant('ten_a').query('select pg_sleep(30) as slow'))
  t.like(error, { code: 'read_too_slow', status: 503, headers: {} })
  t.deepEqual(await runningStatements(db, 'slow'), [])
  t.deepEqual(await pids(), before)
})

test('a slow read of a transaction has its own problem, but not one that waits for a lock', async t => {
  const { db } = await createHangingDatabase(t)
  await succeeds(() => write(db, 'a'))
  const unit = db.database.tenant('ten_a')
  t.like(await t.throwsAsync(unit.transaction(inside => inside.query('select pg_sleep(30)'))), {
    code: 'read_too_slow',
  })
  const [locked, released] = [createGate(), createGate()]
  const holder = unit.transaction(async inside => {
    await inside.query('select id from test_things for update')
    locked.open()
    await released.opened
  })
  await locked.opened
  const waiting = unit.transaction(inside => inside.query('select id from test_things for update'))
  t.true(isUnavailable(await t.throwsAsync(waiting)))
  released.open()
  await holder
})

test('a statement ends on the server when its client has given up', async t => {
  const { db } = await createHangingDatabase(t)
  const unit = db.database.tenant('ten_a')
  // Each statement is within its timeout, all of them aren't.
  const slow = 'with slept as (select pg_sleep(0.5) as endless) table slept'
  const error = await t.throwsAsync(unit.all(Array.from({ length: 200 }, () => [slow] as const)))
  t.true(isUnavailable(error))
  await waitFor(async () => (await runningStatements(db, 'endless')).length === 0)
})

/** A database whose reports are counted, and whose statements end long before their timeouts. */
async function createReportingDatabase(t: ExecutionContext) {
  const { db, hangAt, cut, resume } = await createHangingDatabase(t, 4000, 14_000)
  let reports = 0
  db.onUnconfirmedCommit(() => reports++)
  await read(db)
  return {
    db,
    reports: () => reports,
    ids: async () => (await read(db)).rows.map(({ id }) => id),
    /** Loses all connections once the server has received what is sent next. */
    async loseAnswer() {
      await hangAt('')
      cut()
      resume()
    },
  }
}

test('a commit that is not confirmed is reported when the database answers again, and once more', async t => {
  const { db, reports, ids, loseAnswer } = await createReportingDatabase(t)
  const unit = db.database.tenant('ten_a').transaction(async unit => {
    await unit.query(insert, ['ten_a', 'a', 'a'])
    void loseAnswer()
  })
  t.true(isUnavailable(await t.throwsAsync(unit)))
  await waitFor(() => reports() === 2)
  t.deepEqual(await ids(), ['a'])
  await pause(3 * LATE_MS)
  t.is(reports(), 2)
})

test('a single write that is not confirmed is reported, too', async t => {
  const { db, reports, ids, loseAnswer } = await createReportingDatabase(t)
  const [error] = await Promise.all([t.throwsAsync(write(db, 'a')), loseAnswer()])
  t.true(isUnavailable(error))
  await waitFor(() => reports() === 2)
  t.deepEqual(await ids(), ['a'])
})

test('what was rolled back or wrote nothing is not reported', async t => {
  const { db, reports, ids, loseAnswer } = await createReportingDatabase(t)
  const rolledBack = () =>
    db.database.tenant('ten_a').transaction(async unit => {
      await unit.query(insert, ['ten_a', 'a', 'a'])
      void loseAnswer()
      await unit.query('select id from test_things')
    })
  const wroteNothing = () =>
    db.database.tenant('ten_a').transaction(async unit => {
      await unit.query('select id from test_things')
      void loseAnswer()
    })
  const reads = () => Promise.all([read(db), loseAnswer()])
  for (const work of [rolledBack, wroteNothing, reads]) {
    t.true(isUnavailable((await timed(work)).error))
    await succeeds(() => read(db))
  }
  t.deepEqual(await ids(), [])
  // Reports are collected for a second.
  await pause(1500)
  t.is(reports(), 0)
})
