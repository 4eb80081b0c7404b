import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import test from 'ava'
import type { Step } from '../../../kernel/index.ts'
import type { BatchMessage } from '../../../services/postgres/run-batch.ts'
import { createFixture, type Fixture, insert } from './fixtures.ts'

let fixture: Fixture
test.before(async () => {
  fixture = await createFixture({ maxConnections: 4 })
  await fixture.asOwner(`create table test_order (at serial primary key, tenant_id text, note text);
    grant all on test_order to larder_app, larder_system; grant usage on sequence test_order_at_seq to larder_app, larder_system`)
})
test.beforeEach(async () => {
  await fixture.asOwner('truncate test_things, test_parts, test_late, test_order')
})
test.after.always(() => fixture.end())

const row = (id: string, tenant = 'ten_a'): Step => [insert, [tenant, id, id]]
const note = (text: string): Step => ['insert into test_order (tenant_id, note) values ($1, $2)', ['ten_a', text]]
const tenant = (id = 'ten_a') => fixture.database.tenant(id)
const notes = async () =>
  (await fixture.asOwner<{ note: string }>('select note from test_order order by at')).map(({ note }) => note)

/** The statements of the batches that `work` sends, by their first words. */
async function batches(work: () => Promise<unknown>): Promise<string[][]> {
  // The first batch of a connection asks whether its server is writable.
  await tenant().query('select 1')
  const seen: string[][] = []
  const record = (message: unknown) =>
    seen.push(
      (message as BatchMessage).statements.map(({ statement }) => statement.text.trim().split(' ')[0] as string),
    )
  subscribe('tracing:larder.postgres.batch:start', record)
  try {
    await work()
  } finally {
    unsubscribe('tracing:larder.postgres.batch:start', record)
  }
  return seen
}

test.serial('sends deferred statements with the commit', async t => {
  const sent = await batches(() =>
    tenant().transaction(async unit => {
      await unit.query(...(row('1') as [string, unknown[]]))
      t.is(await unit.defer([row('2'), row('3')]), undefined)
    }),
  )
  t.deepEqual(sent, [
    ['begin', 'select', 'insert'],
    ['insert', 'insert', 'commit'],
  ])
  t.deepEqual(await fixture.things(), ['1', '2', '3'])
})

test.serial('keeps the order of statements', async t => {
  await tenant().transaction(async unit => {
    await unit.all([note('1')])
    await unit.defer([note('2')])
    await unit.transaction(inner => inner.defer([note('3')]))
    const { rows } = await unit.query<{ n: number }>('select count(*)::int as n from test_order')
    t.is(rows[0]?.n, 3)
    await unit.defer([note('4')])
    await unit.all([note('5')])
    await unit.defer([note('6')])
  })
  t.deepEqual(await notes(), ['1', '2', '3', '4', '5', '6'])
})

test.serial('runs them at once outside a transaction, and as the first of a transaction', async t => {
  const [result] = (await tenant().defer([row('1')])) ?? []
  t.is(result?.rowCount, 1)
  await tenant().transaction(async unit => t.is((await unit.defer([row('2')]))?.length, 1))
  t.deepEqual(await tenant().defer([]), [])
  t.deepEqual(await fixture.things(), ['1', '2'])
})

test.serial('an error at the commit rolls everything back and skips afterCommit', async t => {
  let ran = false
  const unit = tenant().transaction(async unit => {
    await unit.all([row('1')])
    fixture.database.afterCommit(() => {
      ran = true
    })
    await unit.defer([row('2'), row('1'), row('3')])
  })
  await t.throwsAsync(unit, { message: /duplicate key/ })
  t.deepEqual(await fixture.things(), [])
  t.false(ran)
  await tenant().all([row('4')])
  t.deepEqual(await fixture.things(), ['4'])
})

test.serial('an error before the next statement fails the unit, even if the work catches it', async t => {
  const unit = tenant().transaction(async unit => {
    await unit.all([row('1')])
    await unit.defer([row('1')])
    await unit.all([row('2')]).catch(() => {})
  })
  await t.throwsAsync(unit, { message: /all of it was rolled back/ })
  t.deepEqual(await fixture.things(), [])
})

test.serial('an error of statements that the work did not await fails the unit only', async t => {
  const unhandled: unknown[] = []
  const record = (error: unknown) => void unhandled.push(error)
  process.on('unhandledRejection', record)
  const unit = tenant().transaction(async unit => {
    void unit.defer([row('1'), row('1')])
  })
  await t.throwsAsync(unit, { message: /all of it was rolled back/ })
  await new Promise(resolve => setImmediate(resolve))
  process.off('unhandledRejection', record)
  t.deepEqual(unhandled, [])
})

test.serial('runs afterCommit after the deferred statements are committed', async t => {
  let seen: string[] = []
  await tenant().transaction(async unit => {
    await unit.all([row('1')])
    await unit.defer([row('2')])
    fixture.database.afterCommit(async () => {
      seen = await fixture.things()
    })
  })
  t.deepEqual(seen, ['1', '2'])
})

test.serial('a nested unit that throws after deferring fails the outer one', async t => {
  const unit = tenant().transaction(async unit => {
    await unit.all([row('1')])
    await unit
      .transaction(async inner => {
        await inner.defer([row('2')])
        throw new Error('no')
      })
      .catch(() => {})
  })
  await t.throwsAsync(unit, { message: /all of it was rolled back/ })
  t.deepEqual(await fixture.things(), [])
})

test.serial('runs each deferred statement as its own tenant', async t => {
  await fixture.systemTransaction('test', async unit => {
    await unit.query('select 1')
    await tenant('ten_a').defer([row('1', 'ten_a')])
    await tenant('ten_b').defer([row('2', 'ten_b')])
    await tenant('ten_a').all([row('3', 'ten_a')])
    await tenant('ten_b').defer([row('4', 'ten_b')])
  })
  t.deepEqual(await fixture.things(), ['1', '2', '3', '4'])
  const foreign = tenant('ten_a').transaction(async unit => {
    await unit.query('select 1')
    await unit.defer([row('5', 'ten_b')])
  })
  await t.throwsAsync(foreign, { message: /row-level security/ })
  const other = tenant('ten_a').transaction(async unit => {
    await unit.query('select 1')
    await tenant('ten_b').defer([row('6', 'ten_b')])
  })
  await t.throwsAsync(other, { message: /inside a unit of tenant ten_a/ })
})

test.serial('a savepoint rolls back what was deferred in it, and keeps what was deferred before', async t => {
  await fixture.systemTransaction('test', async unit => {
    await unit.query('select 1')
    await tenant().defer([row('1')])
    const failed = (work: () => Promise<unknown>) => t.throwsAsync(unit.savepoint(work))
    await failed(async () => {
      await tenant().defer([row('2')])
      throw new Error('no')
    })
    await failed(() => tenant().defer([row('3'), row('3')]))
    await failed(async () => {
      await tenant().all([row('4')])
      await tenant().defer([row('4')])
    })
    await unit.savepoint(() => tenant().defer([row('5')]))
    await tenant('ten_b').defer([row('6', 'ten_b')])
  })
  t.deepEqual(await fixture.things(), ['1', '5', '6'])
})

test.serial('a lost connection loses the whole unit, as 503', async t => {
  const lost = tenant().transaction(async unit => {
    const { rows } = await unit.query<{ pid: number }>('select pg_backend_pid() as pid')
    await unit.defer([row('1')])
    await fixture.asOwner('select pg_terminate_backend($1)', [rows[0]?.pid])
  })
  await t.throwsAsync(lost, { code: 'database_unavailable' })
  t.deepEqual(await fixture.things(), [])
})

test.serial('sends many deferred statements before the commit', async t => {
  const sent = await batches(() =>
    tenant().transaction(async unit => {
      await unit.query('select 1')
      for (let n = 0; n < 450; n++) await unit.defer([row(String(n))])
    }),
  )
  t.is((await fixture.things()).length, 450)
  t.true(Math.max(...sent.map(({ length }) => length)) <= 202)
})

test.serial('a unit that has ended rejects deferred statements', async t => {
  const late = await tenant().transaction(async unit => {
    await unit.query('select 1')
    return unit
  })
  await t.throwsAsync(late.defer([row('1')]), { message: /this unit of work has ended/ })
})
