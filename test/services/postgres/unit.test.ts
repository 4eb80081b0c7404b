import { setTimeout as pause } from 'node:timers/promises'
import test from 'ava'
import { currentContext } from '../../../kernel/base/context.ts'
import { Problem } from '../../../kernel/base/problem.ts'
import { lockStep, locksStep } from '../../../kernel/records/lock.ts'
import { createFixture, type Fixture, insert } from './fixtures.ts'

let fixture: Fixture
test.before(async () => {
  fixture = await createFixture({ maxConnections: 4 })
})
test.beforeEach(async () => {
  await fixture.asOwner('truncate test_things, test_parts, test_late')
})
test.after.always(() => fixture.end())

const row = (id: string, tenant = 'ten_a'): [string, unknown[]] => [insert, [tenant, id, id]]
const code = (error: unknown): unknown => (error as { code?: unknown }).code

test.serial("a SELECT without WHERE returns only the tenant's rows, and all rows to the system", async t => {
  const { database } = fixture
  await database.tenant('ten_a').all([row('a1'), row('a2')])
  await database.tenant('ten_b').query(...row('b1', 'ten_b'))
  const all = 'select id from test_things order by id'
  t.deepEqual((await database.tenant('ten_a').query(all)).rows, [{ id: 'a1' }, { id: 'a2' }])
  t.deepEqual((await database.tenant('ten_b').query(all)).rows, [{ id: 'b1' }])
  t.deepEqual((await database.tenant('ten_c').query(all)).rows, [])
  t.is((await fixture.systemDatabase.acrossTenants('test').query(all)).rowCount, 3)
  const seen = await database.tenant('ten_b').transaction(unit => unit.query(all))
  t.deepEqual(seen.rows, [{ id: 'b1' }])
})

test.serial('a full disk is 503 `database_full`, and the connection stays usable', async t => {
  const unit = fixture.database.tenant('ten_a')
  const error = await t.throwsAsync(unit.query("do $$ begin raise 'No space left' using errcode = '53100'; end $$"))
  t.true(Problem.is(error))
  t.like(error, { code: 'database_full', status: 503, headers: { 'retry-after': '60' } })
  t.is((await unit.query('select 1')).rowCount, 1)
})

test.serial('a tenant cannot write or move a row to another tenant, or access system tables', async t => {
  const { database } = fixture
  await database.tenant('ten_b').query(...row('b1', 'ten_b'))
  const a = database.tenant('ten_a')
  t.is(code(await t.throwsAsync(a.query(...row('x', 'ten_b')))), '42501')
  t.is((await a.query("update test_things set tenant_id = 'ten_a'")).rowCount, 0)
  await a.query(...row('a1'))
  t.is(code(await t.throwsAsync(a.query("update test_things set tenant_id = 'ten_b'"))), '42501')
  t.is((await a.query('delete from test_things')).rowCount, 1)
  t.is(code(await t.throwsAsync(a.query('select from test_secrets'))), '42501')
  t.is((await fixture.systemDatabase.acrossTenants('test').query('select from test_secrets')).rowCount, 0)
  t.deepEqual(await fixture.things(), ['b1'])
})

test.serial('rejects an invalid tenant id before it sends anything', t => {
  for (const id of ['', 'A', "a'; drop table x", 'a'.repeat(65), 'a-b', undefined as unknown as string])
    t.throws(() => fixture.database.tenant(id), { message: /is not the id of a tenant/ })
})

test.serial('units that lock one name and the same values take turns, and see what the last one committed', async t => {
  const unit = fixture.database.tenant('ten_a')
  let release = () => {}
  const held = new Promise<void>(resolve => {
    release = resolve
  })
  let first: Promise<unknown> = held
  await new Promise<void>(locked => {
    first = unit.transaction(async inner => {
      await inner.lock('test.things', 'ten_a', 'one')
      locked()
      await held
      await inner.query(...row('a1'))
    })
  })
  const ended: string[] = []
  const count = 'select count(*)::int as count from test_things'
  const second = unit.transaction(async inner => {
    const { counted } = await inner.all({ lock: lockStep('test.things', 'ten_a', 'one'), counted: [count] })
    ended.push('second')
    return counted.rows
  })
  const third = fixture.database.tenant('ten_b').transaction(async inner => {
    await inner.all([
      locksStep('test.things', [
        ['ten_a', 'two'],
        ['ten_a', 'one'],
        ['ten_a', 'one'],
      ]),
    ])
    ended.push('third')
  })
  await fixture.database.tenant('ten_c').transaction(inner => inner.lock('test.things', 'ten_a', 'other'))
  t.deepEqual(ended, [])
  release()
  t.deepEqual(await second, [{ count: 1 }])
  await Promise.all([first, third])
  t.deepEqual(ended.sort(), ['second', 'third'])
})

test.serial('names the results of several statements, and leaves out undefined ones', async t => {
  const unit = fixture.database.tenant('ten_a')
  const { added, seen, skipped } = await unit.all({
    added: row('a1'),
    skipped: undefined,
    seen: ['select id from test_things'],
  })
  t.is(added.rowCount, 1)
  t.deepEqual(seen.rows, [{ id: 'a1' }])
  t.is(skipped, undefined)
  t.deepEqual(await unit.all({}), {})
  const failed = unit.all({ first: row('a2'), second: row('a1') })
  t.is(code(await t.throwsAsync(failed)), '23505')
  t.deepEqual(await fixture.things(), ['a1'])
})

test.serial('rolls a batch back after an error', async t => {
  const { database } = fixture
  const error = await t.throwsAsync(database.tenant('ten_a').all([row('1'), row('2'), row('1'), row('3')]))
  t.is(code(error), '23505')
  t.deepEqual(await fixture.things(), [])
  t.deepEqual(await database.tenant('ten_a').all([]), [])
})

test.serial('rolls back and rethrows the error of a handler', async t => {
  const error = await t.throwsAsync(
    fixture.database.tenant('ten_a').transaction(async unit => {
      await unit.query(...row('1'))
      throw new Error('mine')
    }),
  )
  t.is(error?.message, 'mine')
  t.deepEqual(await fixture.things(), [])
})

test.serial('a caught statement error fails the unit and is its cause', async t => {
  const error = await t.throwsAsync(
    fixture.database.tenant('ten_a').transaction(async unit => {
      await unit.query(...row('1'))
      await t.throwsAsync(unit.query(...row('1')))
      await t.throwsAsync(unit.query(...row('2')), { message: /earlier statement/ })
    }),
  )
  t.regex(error?.message ?? '', /all of it was rolled back/)
  t.is(code(error?.cause), '23505')
  t.deepEqual(await fixture.things(), [])
})

test.serial('unawaited statements, and those that follow them, are part of the unit', async t => {
  await fixture.database.tenant('ten_a').transaction(async unit => {
    void unit.query(...row('1'))
    const chain = async () => {
      await unit.query(...row('2'))
      for (let i = 0; i < 20; i++) await undefined
      await unit.query(...row('3'))
    }
    void chain()
  })
  t.deepEqual(await fixture.things(), ['1', '2', '3'])
})

test.serial('a failed unawaited statement fails the unit', async t => {
  const error = await t.throwsAsync(
    fixture.database.tenant('ten_a').transaction(async unit => {
      await unit.query(...row('1'))
      void unit.query(...row('1'))
    }),
  )
  t.is(code(error?.cause), '23505')
  t.deepEqual(await fixture.things(), [])
})

test.serial('rejects statements after the end of the unit, by its handle or by context', async t => {
  const late = await fixture.database.tenant('ten_a').transaction(async unit => ({
    byHandle: () => unit.query('select 1'),
    ambiently: pause(20).then(() => fixture.database.tenant('ten_a').query('select 1')),
  }))
  await t.throwsAsync(late.byHandle(), { message: /has ended/ })
  await t.throwsAsync(late.ambiently, { message: /has ended/ })
})

test.serial('port calls and nested units join the unit and are rolled back with it', async t => {
  const { database } = fixture
  const a = database.tenant('ten_a')
  const count = () =>
    a.query<{ n: number }>('select count(*)::int as n from test_things').then(({ rows }) => rows[0]?.n)
  await t.throwsAsync(
    a.transaction(async unit => {
      await unit.query(...row('1'))
      await a.query(...row('2'))
      await a.all([row('3'), row('4')])
      await a.transaction(nested => nested.query(...row('5')))
      t.is(await count(), 5)
      throw new Error('mine')
    }),
  )
  t.is(await count(), 0)
})

test.serial('a nested unit that writes and throws fails the outer one, even if it catches the error', async t => {
  const a = fixture.database.tenant('ten_a')
  const error = await t.throwsAsync(
    a.transaction(async unit => {
      await unit.query(...row('1'))
      await t.throwsAsync(
        a.transaction(async nested => {
          await nested.query(...row('2'))
          throw new Error('half')
        }),
      )
    }),
  )
  t.like(error?.cause, { message: 'half' })
  t.deepEqual(await fixture.things(), [])
})

test.serial('a nested unit that only reads may throw without failing the outer one', async t => {
  const a = fixture.database.tenant('ten_a')
  await a.transaction(async unit => {
    await unit.query(...row('1'))
    await t.throwsAsync(
      a.transaction(async nested => {
        await nested.query('select 1')
        throw new Error('not found')
      }),
    )
  })
  t.deepEqual(await fixture.things(), ['1'])
})

test.serial('rejects a unit of another tenant inside a tenant’s unit, and allows it inside a system unit', async t => {
  const { database } = fixture
  const b = database.tenant('ten_b')
  await database.tenant('ten_a').transaction(async () => {
    await t.throwsAsync(b.query('select 1'), { message: /inside a unit of tenant ten_a/ })
    await t.throwsAsync(
      b.transaction(async () => {}),
      { message: /inside a unit of tenant ten_a/ },
    )
    t.is(database.currentTenant(), 'ten_a')
  })
  await fixture.systemDatabase.acrossTenants('test').transaction(async () => {
    await database.tenant('ten_a').query(...row('a'))
    await b.query(...row('b', 'ten_b'))
    t.is(database.currentTenant(), undefined)
  })
  t.deepEqual(await fixture.things(), ['a', 'b'])
})

test.serial('system work joins the transaction of a tenant’s unit and restores the tenant afterwards', async t => {
  const { database } = fixture
  const { app, system } = fixture.roles.roles
  await database.tenant('ten_b').query(...row('b', 'ten_b'))
  await database.tenant('ten_a').transaction(async unit => {
    await unit.query(...row('a'))
    const seen = await fixture.systemDatabase
      .acrossTenants('test')
      .query('select current_user as who, id from test_things order by id')
    t.deepEqual(seen.rows, [
      { who: system, id: 'a' },
      { who: system, id: 'b' },
    ])
    const own = await unit.query('select current_user as who, id from test_things')
    t.deepEqual(own.rows, [{ who: app, id: 'a' }])
  })
})

test.serial('concurrent statements in one unit run as their own tenants', async t => {
  const { database } = fixture
  const who = "select current_user as who, current_setting('larder.tenant') as tenant"
  const seen = await fixture.systemDatabase.acrossTenants('test').transaction(() =>
    Promise.all(
      Array.from({ length: 30 }, (_, i) =>
        (i % 3 ? database.tenant(`ten_${i}`) : fixture.systemDatabase.acrossTenants('test')).query<{
          tenant: string
        }>(who),
      ),
    ),
  )
  t.deepEqual(
    seen.map(({ rows }) => rows[0]?.tenant),
    Array.from({ length: 30 }, (_, i) => (i % 3 ? `ten_${i}` : '')),
  )
})

test.serial('runs afterCommit callbacks after the commit, outside the unit, and never after a rollback', async t => {
  const { database } = fixture
  const ran: string[] = []
  const note = (what: string) => database.afterCommit(() => void ran.push(what))
  note('at once')
  t.deepEqual(ran, ['at once'])
  const a = database.tenant('ten_a')
  await a.transaction(async unit => {
    note('outer')
    await a.transaction(async () => note('nested'))
    database.afterCommit(async () => {
      t.is(currentContext().unit, undefined)
      ran.push(...(await fixture.things()))
    })
    await unit.query(...row('row'))
    t.deepEqual(ran, ['at once'])
  })
  t.deepEqual(ran, ['at once', 'outer', 'nested', 'row'])
  await t.throwsAsync(
    a.transaction(async () => {
      note('never')
      throw new Error('no')
    }),
  )
  t.false(ran.includes('never'))
})

test.serial('rejects transaction control in a module before it is sent', async t => {
  const a = fixture.database.tenant('ten_a')
  for (const text of ['begin', 'commit', 'rollback']) await t.throwsAsync(a.query(text), { message: /is not allowed/ })
  await a.transaction(async unit => {
    await unit.query(...row('1'))
    await t.throwsAsync(unit.query('commit'), { message: /is not allowed/ })
  })
  t.deepEqual(await fixture.things(), ['1'])
})

test.serial('detects hidden transaction control and discards the connection', async t => {
  const a = fixture.database.tenant('ten_a')
  const hidden = (control: string) => `/* one /* two */ three */ ${control}`
  // The pool hands out the most recently used connection first.
  const connection = async () => (await a.query('select pg_backend_pid()')).rows[0]
  const used = await connection()
  t.deepEqual(await connection(), used)
  await t.throwsAsync(a.query(hidden('begin')), { message: /began its own transaction/ })
  t.notDeepEqual(await connection(), used)
  await t.throwsAsync(
    a.transaction(async unit => {
      await unit.query(...row('1'))
      await t.throwsAsync(unit.query(hidden('rollback')), { message: /ended the unit's transaction/ })
      await t.throwsAsync(unit.query(...row('2')))
    }),
  )
  t.deepEqual(await fixture.things(), [])
})

test.serial('a deferred constraint fails the unit with its own error', async t => {
  const late = fixture.database.tenant('ten_a').transaction(unit => unit.query('insert into test_late values (9, 1)'))
  t.is(code(await t.throwsAsync(late)), '23503')
})

test.serial('retries a deadlock between two batches', async t => {
  await fixture.database.tenant('ten_a').all([row('1'), row('2')])
  const touch = 'update test_things set size = size + 1 where id = $1 and pg_sleep(0.1) is not null'
  const a = fixture.database.tenant('ten_a')
  await Promise.all([
    a.all([
      [touch, ['1']],
      [touch, ['2']],
    ]),
    a.all([
      [touch, ['2']],
      [touch, ['1']],
    ]),
  ])
  t.deepEqual(await fixture.asOwner('select size from test_things'), [{ size: 3 }, { size: 3 }])
})

test.serial('replaces a stale plan without an error for callers', async t => {
  const a = fixture.database.tenant('ten_a')
  await fixture.asOwner('create table test_shift (a int); grant select on test_shift to larder_app')
  for (let i = 0; i < 4; i++) await a.query('select * from test_shift')
  await fixture.asOwner('alter table test_shift add b int')
  for (let i = 0; i < 4; i++) await a.query('select * from test_shift')
  for (let i = 0; i < 2; i++) await a.transaction(unit => unit.query('select * from test_shift'))
  await fixture.asOwner('alter table test_shift add c int')
  // An interactive transaction cannot be retried: it fails with 503.
  const error = await t.throwsAsync(a.transaction(unit => unit.query('select * from test_shift')))
  t.true(Problem.is(error) && error.status === 503)
  await a.transaction(unit => unit.query('select * from test_shift'))
})

test.serial(
  'the callback of a statement runs after its commit, in a unit or alone, and never after a rollback',
  async t => {
    const { database } = fixture
    const unit = database.tenant('ten_a')
    const ran: string[] = []
    const noted = (id: string) => [...row(id), { afterCommit: () => void ran.push(id) }] as const
    await unit.transaction(async inner => {
      await inner.all([noted('a1'), row('a2')])
      await inner.defer([noted('a3')])
      t.deepEqual(ran, [])
    })
    t.deepEqual(ran, ['a1', 'a3'])
    await unit.query(...noted('a4'))
    await unit.defer([noted('a5')])
    t.deepEqual(ran.slice(2), ['a4', 'a5'])
    await t.throwsAsync(unit.all([noted('a6'), row('a1')]))
    await t.throwsAsync(
      unit.transaction(async inner => {
        await inner.query(...noted('a7'))
        throw new Error('rolled back')
      }),
    )
    t.is(ran.length, 4)
  },
)
