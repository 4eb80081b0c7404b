import test from 'ava'
import pg from 'pg'
import type { Step } from '../../../kernel/index.ts'
import { type BatchOutcome, resetPreparedStatements } from '../../../services/postgres/pipelined-batch.ts'
import { runBatch } from '../../../services/postgres/run-batch.ts'
import { encodeStatement } from '../../../services/postgres/statements.ts'
import { createFixture, type Fixture } from './fixtures.ts'

let fixture: Fixture
let client: pg.Client
test.before(async () => {
  fixture = await createFixture()
  client = await connect()
})
test.after.always(async () => {
  await client.end()
  await fixture.end()
})

async function connect(): Promise<pg.Client> {
  const connected = new pg.Client({ connectionString: fixture.ownerUrl })
  connected.on('error', () => {})
  await connected.connect()
  return connected
}

const run = (steps: readonly Step[], { on = client, usesNames = true } = {}): Promise<BatchOutcome> =>
  runBatch({ client: on, statements: steps.map(encodeStatement), usesNames, timeoutMs: 5000, onTimeout: () => {} })
const runBatchOf = (...steps: Step[]) => run(steps)
/** The SQLSTATE; undefined if the batch succeeded. */
const codeOf = ({ error }: BatchOutcome) => (error as pg.DatabaseError | undefined)?.code
const preparedOn = async (on: pg.Client, text: string): Promise<string[]> =>
  (await on.query('select name from pg_prepared_statements where statement = $1', [text])).rows.map(({ name }) => name)

test.serial('returns one result per statement of a batch', async t => {
  const outcome = await runBatchOf(
    ['select $1::int as one', [1]],
    [''],
    ['select 2 as two where false'],
    ['select 3 as three'],
  )
  t.deepEqual(
    outcome.results.map(({ rows, rowCount }) => [rows, rowCount]),
    [
      [[{ one: 1 }], 1],
      [[], 0],
      [[], 0],
      [[{ three: 3 }], 1],
    ],
  )
  t.is(outcome.error, undefined)
  t.is(outcome.status, 'I')
})

test.serial('an error rolls the whole batch back and keeps the connection usable', async t => {
  await runBatchOf(['create table test_rows (id int primary key)'])
  const outcome = await runBatchOf(
    ['insert into test_rows values (1)'],
    ['insert into test_rows values (1)'],
    ['insert into test_rows values (2)'],
  )
  t.is(codeOf(outcome), '23505')
  t.is(outcome.status, 'I')
  t.is(outcome.results.length, 1)
  t.is((await runBatchOf(['select from test_rows'])).results[0]?.rowCount, 0)
})

test.serial('prepares a statement from its second use, and again after its plan is stale', async t => {
  const text = 'select 7 as seven'
  await runBatchOf([text])
  t.is((await preparedOn(client, text)).length, 0)
  await runBatchOf([text])
  t.is((await preparedOn(client, text)).length, 1)

  await runBatchOf(['create table shifting (a int)'])
  for (let i = 0; i < 3; i++) await runBatchOf(['select * from shifting'])
  await runBatchOf(['alter table shifting add b int'])
  t.is(codeOf(await runBatchOf(['select * from shifting'])), '0A000')
  t.is(codeOf(await runBatchOf(['select * from shifting'])), undefined)
  resetPreparedStatements()
  t.is((await runBatchOf([text])).results[0]?.rows[0]?.seven, 7)
})

test.serial('prepares a statement in the next batch if it was named while in progress', async t => {
  const first = runBatchOf(['select 8 as eight'])
  encodeStatement(['select 8 as eight'])
  await first
  t.is((await runBatchOf(['select 8 as eight'])).results[0]?.rows[0]?.eight, 8)
})

test.serial('the same text has the same name on every connection, and another text another name', async t => {
  const other = await connect()
  t.teardown(() => other.end())
  const [one, two] = ['select 9 as nine', 'select 10 as ten']
  for (let uses = 0; uses < 2; uses++) {
    await run([[one], [two]])
    await run([[two], [one]], { on: other })
  }
  const names = await preparedOn(client, one)
  t.is(names.length, 1)
  t.deepEqual(names, await preparedOn(other, one))
  t.notDeepEqual(names, await preparedOn(client, two))
})

test.serial('without names, and for a text that is not to be prepared, nothing is prepared', async t => {
  const [one, two] = ['select 11 as eleven', 'select 12 as twelve']
  for (let uses = 0; uses < 3; uses++) {
    t.is((await run([[one]], { usesNames: false })).results[0]?.rows[0]?.eleven, 11)
    t.is((await runBatchOf([two, [], { prepare: false }])).results[0]?.rows[0]?.twelve, 12)
  }
  t.deepEqual([await preparedOn(client, one), await preparedOn(client, two)], [[], []])
})

test.serial('rejects a value that cannot be encoded before it sends anything', async t => {
  const circle: Record<string, unknown> = {}
  circle.itself = circle
  t.throws(() => encodeStatement(['select $1::jsonb', [circle]]))
  t.is((await runBatchOf(['select 1 as one'])).results[0]?.rowCount, 1)
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
  ]) {
    t.throws(() => encodeStatement([text]), { message: /is not allowed/ }, text)
    t.throws(() => encodeStatement([text, [], { prepare: false }]), { message: /is not allowed/ }, text)
  }
  t.notThrows(() => encodeStatement(['select begin_at, "end" from x']))
  t.notThrows(() => encodeStatement(['/* a */ select case when true then 1 /* b */ end']))
  t.notThrows(() => encodeStatement(["set local work_mem = '8MB'"]))
})

test.serial('a batch whose server process is terminated fails without a transaction status', async t => {
  const other = await connect()
  const [first] = (await run([['select pg_backend_pid() as pid']], { on: other })).results
  const sleeping = run([['select pg_sleep(30)']], { on: other })
  await fixture.asOwner('select pg_terminate_backend($1)', [first?.rows[0]?.pid])
  for (const outcome of [await sleeping, await run([['select 1']], { on: other })]) {
    t.truthy(outcome.error)
    t.is(outcome.status, undefined)
  }
})

test.serial('a batch without a response ends at its time limit, and closes the connection', async t => {
  const other = await connect()
  const closed = new Promise(resolve => other.once('end', resolve))
  let timeouts = 0
  const outcome = await runBatch({
    client: other,
    statements: [encodeStatement(['select pg_sleep(30)'])],
    usesNames: true,
    timeoutMs: 50,
    onTimeout: () => timeouts++,
  })
  t.regex(outcome.error?.message ?? '', /did not respond within 0\.05 s/)
  t.is(outcome.status, undefined)
  t.is(timeouts, 1)
  await closed
})
