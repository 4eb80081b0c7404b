import test from 'ava'
import { Problem } from '../../../kernel/base/problem.ts'
import { openDatabase } from '../../../services/postgres/open.ts'
import { waitFor } from '../../fixtures/wait.ts'
import { createFixture, type Fixture, insert, log, secret } from './fixtures.ts'

let fixture: Fixture
test.before(async () => {
  fixture = await createFixture({ maxConnections: 3, applicationName: 'outage', checkoutTimeoutMs: 2000 })
})
test.beforeEach(async () => {
  await fixture.asOwner('truncate test_things, test_parts')
})
test.after.always(() => fixture.end())

const cut = () =>
  fixture.asOwner(
    `select pg_terminate_backend(pid) from pg_stat_activity
     where datname = current_database() and application_name = 'outage'`,
  )
const isUnavailable = (error: unknown): boolean =>
  Problem.is(error) &&
  error.code === 'database_unavailable' &&
  error.headers['retry-after'] === '1' &&
  error.cause !== undefined

/** Resolves once a statement with this text is running on the server. */
async function running(text: string): Promise<void> {
  const select = `select from pg_stat_activity
    where datname = current_database() and state = 'active' and query = $1`
  await waitFor(async () => (await fixture.asOwner(select, [text])).length > 0)
}

test.serial('returns 503 if the connection is lost during a statement, then uses another one', async t => {
  const { database } = fixture
  const sleep = 'select pg_sleep(30) as interrupted'
  const interrupted = t.throwsAsync(database.tenant('ten_a').query(sleep))
  await running(sleep)
  await cut()
  t.true(isUnavailable(await interrupted))
  t.is((await database.tenant('ten_a').query('select 1')).rowCount, 1)
})

test.serial(
  'a transaction that loses its connection is a 503 and is rolled back, even if the error is caught',
  async t => {
    const { database } = fixture
    for (const swallow of [false, true]) {
      const error = await t.throwsAsync(
        database.tenant('ten_a').transaction(async unit => {
          await unit.query(insert, ['ten_a', '1', '1'])
          await cut()
          const next = unit.query(insert, ['ten_a', '2', '2'])
          await (swallow ? next.catch(() => {}) : next)
        }),
      )
      t.true(isUnavailable(error))
    }
    t.deepEqual(await fixture.things(), [])
    await database.tenant('ten_a').query(insert, ['ten_a', '1', '1'])
    t.deepEqual(await fixture.things(), ['1'])
  },
)

test.serial('a lost connection in a savepoint fails the whole system transaction', async t => {
  const error = await t.throwsAsync(
    fixture.systemTransaction('test', async unit => {
      await unit.savepoint(() => fixture.database.tenant('ten_a').query(insert, ['ten_a', '1', '1']))
      await cut()
      await t.throwsAsync(unit.savepoint(() => fixture.database.tenant('ten_a').query(insert, ['ten_a', '2', '2'])))
    }),
  )
  t.true(isUnavailable(error))
  t.deepEqual(await fixture.things(), [])
})

test.serial('recovers from the loss of idle connections', async t => {
  const a = fixture.database.tenant('ten_a')
  await Promise.all([a.query('select 1'), a.query('select 2'), a.query('select 3')])
  await cut()
  // A batch may be sent before the end of its connection is noticed, at most once per connection.
  const tries = await Promise.allSettled(Array.from({ length: 10 }, () => a.query('select 1')))
  t.true(tries.every(result => result.status === 'fulfilled' || isUnavailable(result.reason)))
  t.is((await a.query('select 1')).rowCount, 1)
})

test.serial('a statement timeout is a 503 and rolls the unit back', async t => {
  const error = await t.throwsAsync(
    fixture.database
      .tenant('ten_a')
      .all([
        [insert, ['ten_a', '1', '1']],
        ["set local statement_timeout = '30ms'"],
        ['update test_things set name = (select pg_sleep(10))::text'],
      ]),
  )
  t.true(isUnavailable(error))
  t.is(((error as Problem).cause as { code: string }).code, '57014')
  t.deepEqual(await fixture.things(), [])
  const [timeout] = (await fixture.database.tenant('ten_a').query('show statement_timeout')).rows
  t.deepEqual(timeout, { statement_timeout: '14s' })
})

test.serial('waits for a free connection, and returns 503 if the pool stays full', async t => {
  const a = fixture.systemDatabase.acrossTenants('test')
  let open: () => void = () => {}
  const gate = new Promise<void>(resolve => {
    open = resolve
  })
  const held = [1, 2, 3].map(() => a.transaction(() => gate))
  t.true(isUnavailable(await t.throwsAsync(a.query('select 1'))))
  const waiting = a.query('select 1')
  open()
  t.is((await waiting).rowCount, 1)
  await Promise.all(held)
})

test.serial('reports the server and the reason of a failed connection, without the password', async t => {
  const ownerUrl = 'postgresql://larder:hidden@127.0.0.1:1/none'
  const error = await t.throwsAsync(openDatabase({ ownerUrl, secrets: [secret], log }))
  t.regex(error?.message ?? '', /Cannot connect to PostgreSQL at 127\.0\.0\.1:1\/none: .*ECONNREFUSED/)
  t.false(error?.message.includes('hidden'))
})

test.serial('a dropped database is not ready', async t => {
  await t.notThrowsAsync(fixture.ready())
  const other = await createFixture()
  await other.asOwner('select 1')
  await other.ready()
  const name = new URL(other.ownerUrl).pathname.slice(1)
  await fixture.asOwner(`drop database ${name} with (force)`)
  t.true(
    isUnavailable(
      await t.throwsAsync(async () => {
        for (;;) await other.ready()
      }),
    ),
  )
  await other.end()
})
