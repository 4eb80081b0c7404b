import test from 'ava'
import { Problem } from '../../../kernel/base/problem.ts'
import { cachedStatement } from '../../../services/postgres/statements.ts'
import { createFixture, type Fixture, insert } from './fixtures.ts'

const READ_MS = 1000
let fixture: Fixture
test.before(async () => {
  fixture = await createFixture({ maxConnections: 4, readTimeoutMs: READ_MS })
  for (const id of ['a', 'b']) await tenant(`ten_${id}`).query(insert, [`ten_${id}`, id, id])
  await fixture.asOwner(`
    create function test_raise() returns boolean language plpgsql as $$
    begin raise exception 'ended' using errcode = 'LA401'; end $$`)
})
test.after.always(() => fixture.end())

const tenant = (id = 'ten_a') => fixture.database.tenant(id)
const PID = 'select pg_backend_pid() as pid'
const PIPELINED_PID = `/* pipelined */ ${PID}`
const pidOf = async (text: string) => (await tenant().query<{ pid: number }>(text)).rows[0]?.pid
const times = <T>(count: number, run: (at: number) => T): T[] => Array.from({ length: count }, (_, at) => run(at))

/** Opens all connections, so that each read finds a free one. */
async function openConnections(): Promise<void> {
  const open = () => tenant().transaction(unit => unit.query('select pg_sleep(0.2)'))
  await Promise.all(times(4, open))
}
test.beforeEach(openConnections)

test('a statement is pipelined if it starts with the comment', t => {
  t.true(cachedStatement('/* pipelined */\n select 1').isPipelined)
  t.false(cachedStatement('select 1').isPipelined)
  t.true(cachedStatement('/* pipelined */ insert into test_things values (1)').isPipelined)
})

test.serial('up to eight pipelined reads of one turn share a connection', async t => {
  const pids = await Promise.all(times(12, () => pidOf(PIPELINED_PID)))
  t.is(new Set(pids.slice(0, 8)).size, 1)
  t.is(new Set(pids.slice(8)).size, 1)
  t.not(pids[0], pids[8])
})

test.serial('other reads have a connection each', async t => {
  const pids = await Promise.all([...times(3, () => pidOf(PID)), pidOf(PIPELINED_PID)])
  t.is(new Set(pids).size, 4)
})

test.serial('verifications without a statement share a connection', async t => {
  const condition = "'shared' <> ''"
  const verify = () => fixture.database.verified({ condition, values: [] }, async () => 'done')
  const verified = { holds: true, value: 'done' }
  t.deepEqual(await Promise.all(times(4, verify)), [verified, verified, verified, verified])
  // A connection shows its last statement.
  const connections = 'select pid from pg_stat_activity where query like $1 and datname = current_database()'
  t.is((await fixture.asOwner(connections, [`select where%not (${condition})%`])).length, 1)
})

test.serial('each read sees the rows of its own tenant', async t => {
  const read = (id: string) => tenant(`ten_${id}`).query('/* pipelined */ select id from test_things')
  const ids = times(40, at => 'abc'[at % 3] as string)
  const results = await Promise.all(ids.map(read))
  t.deepEqual(
    results.map(({ rows }) => rows),
    ids.map(id => (id === 'c' ? [] : [{ id }])),
  )
})

test.serial('an error of one read does not affect the others', async t => {
  const divide = (by: number) => tenant().query('/* pipelined */ select 1 / $1::int as result', [by])
  for (let round = 0; round < 3; round++) {
    const results = await Promise.allSettled([divide(1), divide(0), divide(1), divide(0)])
    t.deepEqual(
      results.map(({ status }) => status),
      ['fulfilled', 'rejected', 'fulfilled', 'rejected'],
    )
  }
})

test.serial('a read that the server cannot prepare does not affect the others', async t => {
  const wrong = () => tenant().query('/* pipelined */ select missing from test_things')
  const right = () => tenant().query('/* pipelined */ select id from test_things')
  const results = await Promise.allSettled([wrong(), right(), wrong(), right()])
  t.deepEqual(
    results.map(({ status }) => status),
    ['rejected', 'fulfilled', 'rejected', 'fulfilled'],
  )
})

test.serial('a precondition that fails concerns its own request only', async t => {
  const { database } = fixture
  const read = () => tenant().query('/* pipelined */ select id from test_things')
  const results = await Promise.all(
    ['true', 'test_raise()', 'true'].map(condition => database.verified({ condition, values: [] }, read)),
  )
  t.deepEqual(
    results.map(({ holds }) => holds),
    [true, false, true],
  )
})

test.serial('a changed table fails no read', async t => {
  await fixture.asOwner('create table test_columns (a int); grant select on test_columns to larder_app')
  const read = () => tenant().query('/* pipelined */ select * from test_columns')
  for (let round = 0; round < 4; round++) await Promise.all(times(4, read))
  await fixture.asOwner('alter table test_columns add b int')
  await t.notThrowsAsync(Promise.all(times(8, read)))
})

test.serial('reads behind one that does not end are repeated on another connection', async t => {
  const sleep = tenant().query('/* pipelined */ select pg_sleep(30)')
  const others = times(3, () => pidOf(PIPELINED_PID))
  const error = await t.throwsAsync(sleep)
  t.true(Problem.is(error) && error.status === 503)
  t.true((await Promise.all(others)).every(pid => typeof pid === 'number'))
})

test.serial('reads behind one whose connection is closed are repeated on another connection', async t => {
  const sleep = tenant().query<{ pid: number }>('/* pipelined */ select pg_sleep(30)')
  const others = times(3, () => pidOf(PIPELINED_PID))
  const terminate = `select pg_terminate_backend(pid) from pg_stat_activity
    where query like '/* pipelined */ select pg_sleep(30)%' and datname = current_database()`
  while ((await fixture.asOwner(terminate)).length === 0);
  const error = await t.throwsAsync(sleep)
  t.true(Problem.is(error) && error.status === 503)
  t.true((await Promise.all(others)).every(pid => typeof pid === 'number'))
})

test.serial('all connections are returned', async t => {
  const mixed = (at: number) =>
    at % 5 === 0
      ? tenant()
          .query('/* pipelined */ select 1 / 0')
          .catch(() => {})
      : pidOf(PIPELINED_PID)
  for (let round = 0; round < 20; round++) await Promise.all(times(23, mixed))
  const pids = await Promise.all(times(4, () => pidOf(PID)))
  t.is(new Set(pids).size, 4)
})
