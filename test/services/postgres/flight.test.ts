import test from 'ava'
import pg from 'pg'
import { newResult, QueryBase, resultLike, wireValue } from '../../../services/postgres/pg-internals.ts'
import { type Flight, forgetPrepared, pack, send } from '../../../services/postgres/pipelined-batch.ts'
import { createStage, type Stage } from './kit.ts'

let stage: Stage
let client: pg.Client
test.before(async () => {
  stage = await createStage()
  client = new pg.Client({ connectionString: stage.ownerUrl, pipeline: true })
  client.on('error', () => {})
  await client.connect()
})
test.after.always(async () => {
  await client.end()
  await stage.end()
})

const fly = (...steps: [string, unknown[]?][]): Flight => send(client, steps.map(pack))
const failure = async (flight: Flight): Promise<pg.DatabaseError> => {
  const error = await flight.landed.then(
    () => undefined,
    error => error,
  )
  if (!(error instanceof pg.DatabaseError)) throw error ?? new Error('it landed')
  return error
}

test('pg is the version whose insides are used', t => {
  const messages = ['handleRowDescription', 'handleDataRow', 'handleCommandComplete', 'handleEmptyQuery'] as const
  for (const name of [...messages, 'handleError', 'handleReadyForQuery', 'submit'] as const)
    t.is(typeof QueryBase.prototype[name], 'function', name)
  const wire = (client as unknown as { connection: Record<string, unknown> }).connection
  for (const name of ['on', 'off']) t.is(typeof wire[name], 'function', name)
  t.is(typeof (wire.stream as { write: unknown }).write, 'function')
  const told = Object.assign(newResult(), {
    fields: [{ name: 'a' }],
    _parsers: [Number],
    _prebuiltEmptyResultObject: {},
  })
  t.deepEqual(resultLike(told).parseRow(['7']), { a: 7 })
  for (const name of ['addFields', 'parseRow', 'addRow', 'addCommandComplete'] as const)
    t.is(typeof newResult()[name], 'function', name)
  t.is(wireValue({ a: 1 }), '{"a":1}')
  t.is(wireValue(undefined), null)
})

test.serial('each statement of a flight has its own result', async t => {
  const flight = fly(['select $1::int as one', [1]], [''], ['select 2 as two where false'], ['select 3 as three'])
  const results = await flight.landed
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

test.serial('an error anywhere in a flight undoes all of it, and the connection goes on', async t => {
  await fly(['create table flown (id int primary key)']).landed
  const flight = fly(
    ['insert into flown values (1)'],
    ['insert into flown values (1)'],
    ['insert into flown values (2)'],
  )
  t.is((await failure(flight)).code, '23505')
  t.is(flight.status, 'I')
  t.is((await fly(['select from flown']).landed)[0]?.rowCount, 0)
})

test.serial('flights that were sent one behind the other keep their results apart when one fails', async t => {
  const flights = [fly(['select 1 as n']), fly(['select 1 / 0']), fly(['select 3 as n'])] as const
  const landed = await Promise.allSettled(flights.map(flight => flight.landed))
  t.deepEqual(
    landed.map(({ status }) => status),
    ['fulfilled', 'rejected', 'fulfilled'],
  )
  t.deepEqual(
    flights.map(({ status }) => status),
    ['I', 'I', 'I'],
  )
})

test.serial('a statement is prepared from its second use, and again after a plan went stale', async t => {
  const named = async () =>
    (await client.query("select statement from pg_prepared_statements where statement = 'select 7 as seven'")).rows
      .length
  await fly(['select 7 as seven']).landed
  t.is(await named(), 0)
  await fly(['select 7 as seven']).landed
  t.is(await named(), 1)

  await fly(['create table shifting (a int)']).landed
  for (let i = 0; i < 3; i++) await fly(['select * from shifting']).landed
  await fly(['alter table shifting add b int']).landed
  t.is((await failure(fly(['select * from shifting']))).code, '0A000')
  await fly(['select * from shifting']).landed
  forgetPrepared()
  t.is((await fly(['select 7 as seven']).landed)[0]?.rows[0]?.seven, 7)
})

test.serial('a statement that gets its name while it is under way without one is prepared the next time', async t => {
  const first = fly(['select 8 as eight'])
  pack(['select 8 as eight'])
  await first.landed
  t.is((await fly(['select 8 as eight']).landed)[0]?.rows[0]?.eight, 8)
})

test.serial('a value without a form of the wire is refused before anything is sent', async t => {
  const circle: Record<string, unknown> = {}
  circle.itself = circle
  t.throws(() => fly(['select $1::jsonb', [circle]]))
  t.is((await fly(['select 1 as one']).landed)[0]?.rowCount, 1)
})

test('transaction control and role changes are not taken from callers', t => {
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
    t.throws(() => pack([text]), { message: /takes no/ }, text)
  t.notThrows(() => pack(['select begin_at, "end" from x']))
  t.notThrows(() => pack(['/* a */ select case when true then 1 /* b */ end']))
  t.notThrows(() => pack(["set local work_mem = '8MB'"]))
})

test.serial(
  'a flight whose server process is ended in the middle fails and says that the connection is gone',
  async t => {
    const doomed = new pg.Client({ connectionString: stage.ownerUrl, pipeline: true })
    doomed.on('error', () => {})
    await doomed.connect()
    const [first] = await send(doomed, [pack(['select pg_backend_pid() as pid'])]).landed
    const flights = [send(doomed, [pack(['select pg_sleep(30)'])]), send(doomed, [pack(['select 1'])])]
    await stage.asOwner('select pg_terminate_backend($1)', [first?.rows[0]?.pid])
    for (const flight of flights) {
      await t.throwsAsync(flight.landed)
      t.is(flight.status, undefined)
    }
  },
)
