import { setTimeout as pause } from 'node:timers/promises'
import test from 'ava'
import { Problem } from '../../../kernel/base/problem.ts'
import { createFixture, type Fixture, insert } from './fixtures.ts'

const CONNECTIONS = 4
const PIPELINED = `/* pipelined */ ${insert} returning pg_backend_pid() as pid, xmin::text as transaction`
interface Written {
  readonly pid: number
  readonly transaction: string
}

let fixture: Fixture
test.before(async () => {
  fixture = await createFixture({ maxConnections: CONNECTIONS })
  await fixture.asOwner(`
    create function test_raise() returns boolean language plpgsql as $$
    begin raise exception 'ended' using errcode = 'LA401'; end $$`)
})
test.after.always(() => fixture.end())

const tenant = (id = 'ten_a') => fixture.database.tenant(id)
const times = <T>(count: number, run: (at: number) => T): T[] => Array.from({ length: count }, (_, at) => run(at))
let ids = 0
const newIds = (count: number): string[] => times(count, () => `w${++ids}`)
const write = async (id: string, tenantId = 'ten_a') =>
  (await tenant(tenantId).query<Written>(PIPELINED, [tenantId, id, id])).rows[0] as Written
const stored = async (wanted: readonly string[]) =>
  (await fixture.things()).filter(id => wanted.includes(id)).sort((a, b) => wanted.indexOf(a) - wanted.indexOf(b))
const statuses = (results: readonly PromiseSettledResult<unknown>[]) => results.map(({ status }) => status)
const codeOf = (result: PromiseSettledResult<unknown> | undefined) =>
  result?.status === 'rejected' ? (result.reason as { code?: string }).code : undefined

/** Opens all connections, so that each write finds a free one. */
async function openConnections(): Promise<void> {
  await Promise.all(times(CONNECTIONS, () => tenant().transaction(unit => unit.query('select pg_sleep(0.2)'))))
}
test.beforeEach(openConnections)

test.serial('up to eight writes of a tenant share a connection, each in a transaction of its own', async t => {
  const written = await Promise.all(newIds(12).map(id => write(id)))
  const pids = written.map(({ pid }) => pid)
  t.is(new Set(pids.slice(0, 8)).size, 1)
  t.is(new Set(pids.slice(8)).size, 1)
  t.not(pids[0], pids[8])
  t.is(new Set(written.map(({ transaction }) => transaction)).size, 12)
})

test.serial('writes of different tenants have connections of their own', async t => {
  const written = await Promise.all(newIds(9).map((id, at) => write(id, `ten_${'abc'[at % 3]}`)))
  const pids = written.map(({ pid }) => pid)
  t.is(new Set(pids).size, 3)
  for (const at of [0, 1, 2]) t.is(new Set(pids.filter((_, index) => index % 3 === at)).size, 1)
})

test.serial('a batch with a statement that is not pipelined has a connection of its own', async t => {
  const [first, second, third] = newIds(3) as [string, string, string]
  const plain = insert.replace(/$/, ' returning pg_backend_pid() as pid')
  const [one, two, other] = await Promise.all([
    write(first),
    write(second),
    tenant().query<Written>(plain, ['ten_a', third, third]),
  ])
  t.is(one?.pid, two?.pid)
  t.not(other?.rows[0]?.pid, one?.pid)
})

test.serial('a batch of several statements is written whole or not at all', async t => {
  const [first, second, third] = newIds(3) as [string, string, string]
  const pair = (a: string, b: string) =>
    tenant().batch([a, b].map(id => [PIPELINED, ['ten_a', id, id]] as [string, unknown[]]))
  const results = await Promise.allSettled([pair(first, second), pair(third, first)])
  t.deepEqual(statuses(results), ['fulfilled', 'rejected'])
  t.is(codeOf(results[1]), '23505')
  t.deepEqual(await stored([first, second, third]), [first, second])
})

for (const [title, failing] of [
  ['first', 0],
  ['middle', 2],
  ['last', 4],
] as const)
  test.serial(`an error of the ${title} write does not affect the others`, async t => {
    const wanted = newIds(5)
    // Also with statements that the server must describe.
    for (const round of [0, 1, 2]) {
      const all = wanted.map(id => `${id}-${round}`)
      const results = await Promise.allSettled(
        all.map((id, at) => write(at === failing ? (all[(at + 1) % 4] ?? '') : id)),
      )
      const failed = results.filter(({ status }) => status === 'rejected')
      t.is(failed.length, 1)
      t.is(codeOf(failed[0]), '23505')
      t.deepEqual(
        await stored(all),
        all.filter((_, at) => at !== failing),
      )
    }
  })

test.serial('all writes may fail', async t => {
  const [id] = newIds(1) as [string]
  await write(id)
  t.deepEqual(statuses(await Promise.allSettled(times(4, () => write(id)))), Array(4).fill('rejected'))
})

test.serial('a write cannot belong to another tenant', async t => {
  const [mine, foreign] = newIds(2) as [string, string]
  const results = await Promise.allSettled([
    write(mine),
    tenant('ten_a').query(PIPELINED, ['ten_b', foreign, foreign]),
    write(`${mine}-2`),
  ])
  t.deepEqual(statuses(results), ['fulfilled', 'rejected', 'fulfilled'])
  t.is(codeOf(results[1]), '42501')
})

test.serial('a precondition that fails concerns its own request only', async t => {
  const { database } = fixture
  const wanted = newIds(3)
  const results = await Promise.all(
    ['true', 'test_raise()', 'true'].map((condition, at) =>
      database.verified({ condition, values: [] }, () => write(wanted[at] as string)),
    ),
  )
  t.deepEqual(
    results.map(({ holds }) => holds),
    [true, false, true],
  )
  t.deepEqual(await stored(wanted), [wanted[0], wanted[2]])
})

test.serial(
  'a write that waits for a lock does not delay the others, and is written once the lock is released',
  async t => {
    const [locked, ...others] = newIds(5) as [string, ...string[]]
    let isReleased = false
    let release = () => {}
    const holding = tenant().transaction(async unit => {
      await unit.query(insert, ['ten_a', 'holder', locked])
      await new Promise<void>(resolve => {
        release = resolve
      })
      throw new Error('rolled back')
    })
    holding.catch(() => {})
    await pause(50)
    const waiting = write(locked).then(() => isReleased)
    const released = pause(2000).then(() => {
      isReleased = true
      release()
    })
    await Promise.all(others.map(id => write(id)))
    t.false(isReleased)
    await released
    await t.throwsAsync(holding, { message: 'rolled back' })
    t.true(await waiting)
    t.deepEqual(await stored([locked, ...others]), [locked, ...others])
  },
)

test.serial('writes are confirmed when the last one of their pipeline has flushed the log', async t => {
  const [first, second, last] = newIds(3) as [string, string, string]
  const confirmed: string[] = []
  const quick = [first, second].map(async id => {
    await write(id)
    confirmed.push(id)
  })
  const slow = tenant().query(`/* pipelined */ ${insert} returning pg_sleep(1)`, ['ten_a', last, last])
  await pause(100)
  t.deepEqual(confirmed, [])
  await Promise.all([...quick, slow])
  t.deepEqual(confirmed, [first, second])
})

test.serial('a changed table fails no write', async t => {
  await fixture.asOwner(`create table test_notes (tenant_id text, note text, a int);
    grant select, insert on test_notes to larder_app`)
  const note = () => tenant().query('/* pipelined */ insert into test_notes (note) values ($1) returning *', ['x'])
  for (let round = 0; round < 4; round++) await Promise.all(times(4, note))
  await fixture.asOwner('alter table test_notes add b int')
  await Promise.all(times(4, note))
  t.is((await fixture.asOwner('select from test_notes')).length, 20)
})

test.serial('settings of a pipeline do not stay on the connection', async t => {
  await Promise.all(newIds(8).map(id => write(id)))
  const settings = () =>
    tenant().query("select current_setting('synchronous_commit') as commit, current_setting('lock_timeout') as timeout")
  const expected = (
    await fixture.asOwner(
      "select current_setting('synchronous_commit') as commit, current_setting('lock_timeout') as timeout",
    )
  )[0]
  for (const { rows } of await Promise.all(times(CONNECTIONS, settings))) t.deepEqual(rows, [expected])
})

test.serial('writes whose connection is closed report an unavailable database, and are not repeated', async t => {
  const wanted = newIds(4)
  const slow = `/* pipelined */ ${insert} returning pg_sleep(30)`
  const results = Promise.allSettled([
    ...wanted.slice(0, 2).map(id => write(id)),
    tenant().query(slow, ['ten_a', wanted[2], wanted[2]]),
    write(wanted[3] as string),
  ])
  const terminate = `select pg_terminate_backend(pid) from pg_stat_activity
    where query like '%pg_sleep(30)%' and state = 'active' and pid <> pg_backend_pid() and datname = current_database()`
  while ((await fixture.asOwner(terminate)).length === 0);
  for (const result of await results)
    t.true(result.status === 'rejected' && Problem.is(result.reason) && result.reason.status === 503)
  // The first two were committed, but their commits weren't confirmed.
  t.deepEqual(await stored(wanted), wanted.slice(0, 2))
})

test.serial('all connections are returned', async t => {
  const mixed = (at: number) => (at % 5 === 0 ? write('same').catch(() => {}) : write(newIds(1)[0] as string))
  for (let round = 0; round < 20; round++) await Promise.all(times(23, mixed))
  const pids = await Promise.all(
    times(4, async () => (await tenant().query('select pg_backend_pid() as pid')).rows[0]?.pid),
  )
  t.is(new Set(pids).size, CONNECTIONS)
})
