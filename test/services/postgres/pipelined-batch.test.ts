import test from 'ava'
import pg from 'pg'
import { encodeStatement } from '../../../services/postgres/encoded-statement.ts'
import { encodeValue } from '../../../services/postgres/pg-internals.ts'
import { PipelinedBatch, resetPreparedStatements } from '../../../services/postgres/pipelined-batch.ts'
import { executeBatch, type RunningBatch } from '../../../services/postgres/send-batch.ts'
import { createFixture, type Fixture } from './fixtures.ts'

let fixture: Fixture
let client: pg.Client
test.before(async () => {
  fixture = await createFixture()
  client = new pg.Client({ connectionString: fixture.ownerUrl, pipeline: true })
  client.on('error', () => {})
  await client.connect()
})
test.after.always(async () => {
  await client.end()
  await fixture.end()
})

const TIMEOUT_MS = 5000
const fly = (...steps: [string, unknown[]?][]): RunningBatch =>
  executeBatch(client, steps.map(encodeStatement), TIMEOUT_MS)
const failure = async (flight: RunningBatch): Promise<pg.DatabaseError> => {
  const error = await flight.completed.then(
    () => undefined,
    error => error,
  )
  if (!(error instanceof pg.DatabaseError)) throw error ?? new Error('it landed')
  return error
}

test('pg has the internals that a batch depends on', t => {
  const messages = ['handleRowDescription', 'handleDataRow', 'handleCommandComplete', 'handleEmptyQuery'] as const
  const query = pg.Query.prototype as unknown as Record<string, unknown>
  for (const name of [...messages, 'handleError', 'handleReadyForQuery', 'submit'] as const) {
    t.is(typeof query[name], 'function', name)
    t.not(PipelinedBatch.prototype[name] as unknown, query[name], name)
  }
  t.true(PipelinedBatch.prototype instanceof pg.Query)
  const connection = (client as unknown as { connection: Record<string, unknown> }).connection
  for (const name of ['on', 'off']) t.is(typeof connection[name], 'function', name)
  t.is(typeof (connection.stream as { write: unknown }).write, 'function')
  t.is(encodeValue({ a: 1 }), '{"a":1}')
  t.is(encodeValue(undefined), null)
})

test.serial('returns one result per statement of a batch', async t => {
  const flight = fly(['select $1::int as one', [1]], [''], ['select 2 as two where false'], ['select 3 as three'])
  const results = await flight.completed
  t.deepEqual(
    results.map(({ rows, rowCount }) => [rows, rowCount]),
    [
      [[{ one: 1 }], 1],
      [[], 0],
      [[], 0],
      [[{ three: 3 }], 1],
    ],
  )
  t.is(flight.status, 'I')
})

test.serial('an error rolls the whole batch back and keeps the connection usable', async t => {
  await fly(['create table flown (id int primary key)']).completed
  const flight = fly(
    ['insert into flown values (1)'],
    ['insert into flown values (1)'],
    ['insert into flown values (2)'],
  )
  t.is((await failure(flight)).code, '23505')
  t.is(flight.status, 'I')
  t.is((await fly(['select from flown']).completed)[0]?.rowCount, 0)
})

test.serial('a failed batch does not affect other pipelined batches', async t => {
  const flights = [fly(['select 1 as n']), fly(['select 1 / 0']), fly(['select 3 as n'])] as const
  const landed = await Promise.allSettled(flights.map(flight => flight.completed))
  t.deepEqual(
    landed.map(({ status }) => status),
    ['fulfilled', 'rejected', 'fulfilled'],
  )
  t.deepEqual(
    flights.map(({ status }) => status),
    ['I', 'I', 'I'],
  )
})

test.serial('prepares a statement from its second use, and again after its plan is stale', async t => {
  const named = async () =>
    (await client.query("select statement from pg_prepared_statements where statement = 'select 7 as seven'")).rows
      .length
  await fly(['select 7 as seven']).completed
  t.is(await named(), 0)
  await fly(['select 7 as seven']).completed
  t.is(await named(), 1)

  await fly(['create table shifting (a int)']).completed
  for (let i = 0; i < 3; i++) await fly(['select * from shifting']).completed
  await fly(['alter table shifting add b int']).completed
  t.is((await failure(fly(['select * from shifting']))).code, '0A000')
  await fly(['select * from shifting']).completed
  resetPreparedStatements()
  t.is((await fly(['select 7 as seven']).completed)[0]?.rows[0]?.seven, 7)
})

test.serial('prepares a statement in the next batch if it was named while in progress', async t => {
  const first = fly(['select 8 as eight'])
  encodeStatement(['select 8 as eight'])
  await first.completed
  t.is((await fly(['select 8 as eight']).completed)[0]?.rows[0]?.eight, 8)
})

test.serial('rejects a value that cannot be encoded before it sends anything', async t => {
  const circle: Record<string, unknown> = {}
  circle.itself = circle
  t.throws(() => fly(['select $1::jsonb', [circle]]))
  t.is((await fly(['select 1 as one']).completed)[0]?.rowCount, 1)
})

test('rejects transaction control and role changes', t => {
  for (const text of [
    'begin',
    ' COMMIT',
    '/* a */ -- b\n rollback',
    'savepoint x',
    'release x',
    'set role larder_system',
    'set local role none',
    'reset role',
    'set session authorization default',
    'discard all',
    'end',
  ])
    t.throws(() => encodeStatement([text]), { message: /is not allowed/ }, text)
  t.notThrows(() => encodeStatement(['select begin_at, "end" from x']))
  t.notThrows(() => encodeStatement(['/* a */ select case when true then 1 /* b */ end']))
  t.notThrows(() => encodeStatement(["set local work_mem = '8MB'"]))
})

test.serial('a batch whose server process is terminated fails without a transaction status', async t => {
  const doomed = new pg.Client({ connectionString: fixture.ownerUrl, pipeline: true })
  doomed.on('error', () => {})
  await doomed.connect()
  const [first] = await executeBatch(doomed, [encodeStatement(['select pg_backend_pid() as pid'])], TIMEOUT_MS)
    .completed
  const flights = [
    executeBatch(doomed, [encodeStatement(['select pg_sleep(30)'])], TIMEOUT_MS),
    executeBatch(doomed, [encodeStatement(['select 1'])], TIMEOUT_MS),
  ]
  await fixture.asOwner('select pg_terminate_backend($1)', [first?.rows[0]?.pid])
  for (const flight of flights) {
    await t.throwsAsync(flight.completed)
    t.is(flight.status, undefined)
  }
})
