import test from 'ava'
import { createFixture, type Fixture, insert } from './fixtures.ts'

let fixture: Fixture
test.before(async () => {
  fixture = await createFixture({ maxConnections: 4 })
})
test.beforeEach(async () => {
  await fixture.asOwner('truncate test_things, test_parts, test_late')
})
test.after.always(() => fixture.end())

const write = (id: string, tenant = 'ten_a') => fixture.database.tenant(tenant).query(insert, [tenant, id, id])
/** Like the relay: a failed handler must not undo the effects of another. */
const handlers = (...works: (() => Promise<unknown>)[]): Promise<PromiseSettledResult<unknown>[]> =>
  fixture.systemTransaction('test', async unit => {
    const settled: PromiseSettledResult<unknown>[] = []
    for (const work of works) settled.push(...(await Promise.allSettled([unit.savepoint(work)])))
    return settled
  })
const statuses = async (settled: Promise<PromiseSettledResult<unknown>[]>) =>
  (await settled).map(({ status }) => status)

test.serial('rolls back a failed savepoint and keeps the others', async t => {
  const results = handlers(
    () => write('1'),
    async () => {
      await write('2')
      throw new Error('no')
    },
    () => write('3', 'ten_b'),
    async () => {
      await write('4')
      await write('4')
    },
    async () => {},
    () => write('5'),
  )
  t.deepEqual(await statuses(results), ['fulfilled', 'rejected', 'fulfilled', 'rejected', 'fulfilled', 'fulfilled'])
  t.deepEqual(await fixture.things(), ['1', '3', '5'])
})

test.serial('a caught or unawaited error fails only its savepoint', async t => {
  const results = handlers(
    async () => {
      await write('1')
      await write('1').catch(() => {})
    },
    async () => {
      await write('2')
      void write('2')
    },
    () => write('3'),
  )
  t.deepEqual(await statuses(results), ['rejected', 'rejected', 'fulfilled'])
  t.deepEqual(await fixture.things(), ['3'])
})

test.serial('sets the tenant again after a savepoint is rolled back', async t => {
  const { app, system } = fixture.roles.roles
  const who = "select current_setting('larder.tenant') as tenant, current_user as who"
  const seen = await fixture.systemTransaction('test', async unit => {
    await t.throwsAsync(unit.savepoint(() => write('x', 'ten_b').then(() => write('x', 'ten_b'))))
    const first = await unit.savepoint(() => fixture.database.tenant('ten_b').query(who))
    const own = await unit.query(who)
    return [...first.rows, ...own.rows]
  })
  t.deepEqual(seen, [
    { tenant: 'ten_b', who: app },
    { tenant: '', who: system },
  ])
})

test.serial('rolls back a failed nested unit with its savepoint only', async t => {
  const a = fixture.database.tenant('ten_a')
  const half = async () => {
    const nested = a.transaction(async unit => {
      await unit.query(insert, ['ten_a', '1', '1'])
      throw new Error('half')
    })
    await nested.catch(() => {})
  }
  t.deepEqual(await statuses(handlers(half, () => write('2'))), ['rejected', 'fulfilled'])
  t.deepEqual(await fixture.things(), ['2'])
})

test.serial('rejects statements of a savepoint that has ended', async t => {
  let late: Promise<unknown> = Promise.resolve()
  let open: () => void = () => {}
  const gate = new Promise<void>(resolve => {
    open = resolve
  })
  const results = handlers(
    async () => {
      late = gate.then(() => write('late'))
    },
    async () => {
      open()
      await write('2')
    },
  )
  await t.throwsAsync(
    results.then(() => late),
    { message: /has ended/ },
  )
  t.deepEqual(await fixture.things(), ['2'])
})

test.serial('runs afterCommit callbacks of successful savepoints only', async t => {
  const ran: string[] = []
  const note = (what: string) => fixture.database.afterCommit(() => void ran.push(what))
  await handlers(
    async () => note('kept'),
    async () => {
      note('undone')
      throw new Error('no')
    },
    async () => {
      note('undone too')
      await write('1')
      await write('1').catch(() => {})
    },
  )
  t.deepEqual(ran, ['kept'])
})

test.serial('an error outside a savepoint rolls everything back', async t => {
  await t.throwsAsync(
    fixture.systemTransaction('test', async unit => {
      await unit.savepoint(() => write('1'))
      throw new Error('no')
    }),
  )
  t.deepEqual(await fixture.things(), [])
})

test.serial('rejects overlapping savepoints and nested system transactions', async t => {
  await fixture.systemTransaction('test', async unit => {
    const both = [unit.savepoint(() => write('1')), unit.savepoint(() => write('2'))]
    t.deepEqual(
      (await Promise.allSettled(both)).map(({ status }) => status),
      ['fulfilled', 'rejected'],
    )
    await t.throwsAsync(async () => fixture.systemTransaction('inner', async () => {}), {
      message: /its own transaction/,
    })
  })
  t.deepEqual(await fixture.things(), ['1'])
})
