import test from 'ava'
import type { Precondition } from '../../../kernel/internal.ts'
import { waitFor } from '../../fixtures/wait.ts'
import { createFixture, type Fixture, insert } from './fixtures.ts'

let fixture: Fixture
test.before(async () => {
  fixture = await createFixture({ maxConnections: 4 })
  await fixture.asOwner(`
    create table test_rights (id text primary key);
    create sequence test_evaluations;
    create function test_check(text) returns boolean language plpgsql security definer as $$
    begin
      perform nextval('test_evaluations');
      if not exists (select from test_rights where id = $1) then raise exception 'ended' using errcode = 'LA401'; end if;
      return true;
    end $$;
    create function test_end_right() returns void language sql security definer as 'delete from test_rights';
    grant execute on function test_end_right to larder_app`)
})
test.beforeEach(async () => {
  await fixture.asOwner(`truncate test_things, test_parts, test_late, test_rights; insert into test_rights values ('held');
    alter sequence test_evaluations restart`)
})
test.after.always(() => fixture.end())

const precondition = (right: string): Precondition => ({ condition: 'test_check($1)', values: [right] })
const held = precondition('held')
const ended = precondition('ended')
const row = (id: string): [string, unknown[]] => [insert, ['ten_a', id, id]]
const tenant = () => fixture.database.tenant('ten_a')
const evaluations = async () => {
  const [state] = await fixture.asOwner<{ last_value: string; is_called: boolean }>('select * from test_evaluations')
  return state?.is_called ? Number(state.last_value) : 0
}

test.serial('the first statement carries the precondition, later ones do not', async t => {
  const result = await fixture.database.verified(held, async () => {
    await tenant().query(...row('1'))
    await tenant().query(...row('2'))
    return (await tenant().query('select id from test_things order by id')).rows
  })
  t.deepEqual(result, { holds: true, value: [{ id: '1' }, { id: '2' }] })
  t.is(await evaluations(), 1)
})

test.serial('work without a statement is verified on its own', async t => {
  t.deepEqual(await fixture.database.verified(held, async () => 'an answer'), { holds: true, value: 'an answer' })
  t.deepEqual(await fixture.database.verified(ended, async () => 'an answer'), { holds: false })
})

test.serial('statements that nobody awaited are verified too', async t => {
  const result = await fixture.database.verified(ended, async () => {
    tenant()
      .query(...row('1'))
      .catch(() => {})
    return 'an answer'
  })
  t.deepEqual(result, { holds: false })
  t.deepEqual(await fixture.things(), [])
})

test.serial('an error of the work is rethrown only if the precondition holds', async t => {
  const { database } = fixture
  const fails = async () => {
    throw new Error('no such thing')
  }
  await t.throwsAsync(database.verified(held, fails), { message: 'no such thing' })
  t.deepEqual(await database.verified(ended, fails), { holds: false })
  const failing = () => tenant().query('select 1 / 0')
  t.like(await t.throwsAsync(database.verified(held, failing)), { code: '22012' })
  t.deepEqual(await database.verified(ended, failing), { holds: false })
})

test.serial('a right that ends in the middle of the work lets the work finish', async t => {
  const result = await fixture.database.verified(held, async () => {
    await tenant().query('select test_end_right()')
    await tenant().query(...row('1'))
  })
  t.true(result.holds)
  t.deepEqual(await fixture.things(), ['1'])
  t.deepEqual(await fixture.database.verified(held, async () => 'an answer'), { holds: false })
})

test.serial('a connection that ends while it carries the precondition is an error, not a verdict', async t => {
  const { database } = fixture
  const terminate = () =>
    fixture.asOwner(
      `select pg_terminate_backend(pid) from pg_stat_activity
       where datname = current_database() and query like '%pg_sleep%' and pid <> pg_backend_pid()`,
    )
  const sleeping = database.verified(held, () => tenant().query('select pg_sleep(5)'))
  const timer = setInterval(() => void terminate(), 100)
  await t.throwsAsync(sleeping, { message: /temporarily unavailable/ })
  clearInterval(timer)
  t.like(await database.verified(held, async () => 'an answer'), { holds: true })
})

test.serial('concurrent reads verify the precondition themselves, and one that fails decides', async t => {
  const both = () => Promise.all([tenant().query('select 1'), tenant().query('select 2')])
  t.true((await fixture.database.verified(held, both)).holds)
  t.is(await evaluations(), 2)
  const endingBetween = async () => {
    const first = tenant().query('select test_end_right(), pg_sleep(0.2)')
    await waitFor(async () => (await evaluations()) === 3)
    await first
    return tenant().query('select 1')
  }
  t.true((await fixture.database.verified(held, endingBetween)).holds)
  t.deepEqual(await fixture.database.verified(ended, both), { holds: false })
})

test.serial('nothing takes effect if the precondition fails, even if the work catches the error', async t => {
  const ways = [
    () => tenant().query(...row('1')),
    () => tenant().all([row('1'), row('2')]),
    () => tenant().transaction(async unit => void (await unit.query(...row('1')))),
    () => tenant().transaction(async unit => void (await unit.query(...row('1')).catch(() => {}))),
    () => Promise.all([tenant().query(...row('1')), tenant().query(...row('2'))]),
    () => fixture.systemDatabase.acrossTenants('test').query(...row('1')),
  ]
  for (const write of ways) {
    const result = await fixture.database.verified(ended, async () => {
      await write().catch(() => {})
      return 'an answer'
    })
    t.deepEqual(result, { holds: false })
  }
  t.deepEqual(await fixture.things(), [])
})

test.serial('a transaction carries the precondition once, with its first batch', async t => {
  const result = await fixture.database.verified(held, () =>
    tenant().transaction(async unit => {
      await unit.query('select 1')
      return (await unit.query('select 2 as two')).rows
    }),
  )
  t.deepEqual(result, { holds: true, value: [{ two: 2 }] })
  t.is(await evaluations(), 1)
})
