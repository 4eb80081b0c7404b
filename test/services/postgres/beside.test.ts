/** Units of work beside others, which hold connections and wait for them. */
import test from 'ava'
import { createFixture, createGate, insert } from './fixtures.ts'

const CONNECTIONS = 2
const options = { maxConnections: CONNECTIONS, tenantConnections: CONNECTIONS }

/** Resolves when so many have called it. */
function createMeeting(size: number): () => Promise<void> {
  const { open, opened } = createGate()
  let count = 0
  return async () => {
    if (++count === size) open()
    await opened
  }
}

test.serial('units that hold all connections get one beside them in turn', async t => {
  const fixture = await createFixture(options)
  t.teardown(fixture.end)
  const { database } = fixture
  const meet = createMeeting(CONNECTIONS)
  const write = (id: string) =>
    database.tenant('ten_a').transaction(async unit => {
      await unit.query(insert, ['ten_a', id, id])
      await meet()
      await database.beside(() => database.tenant('ten_b').query(insert, ['ten_b', `${id} beside`, `${id} beside`]))
    })
  // The third one waits for a connection, too, and gets none of those that are kept.
  await Promise.all(['1', '2', '3'].map(write))
  t.deepEqual(await fixture.things(), ['1', '1 beside', '2', '2 beside', '3', '3 beside'])
  t.is(fixture.connectionCounts().waiting, 0)
})

test.serial('units beside units that are beside others get a connection, too', async t => {
  const fixture = await createFixture(options)
  t.teardown(fixture.end)
  const { database } = fixture
  const meet = createMeeting(CONNECTIONS)
  const write = (id: string) =>
    database.tenant('ten_a').transaction(async () => {
      await meet()
      await database.beside(() =>
        database.tenant('ten_b').transaction(async unit => {
          await unit.query('select 1')
          await database.beside(() => database.tenant('ten_c').query(insert, ['ten_c', id, id]))
        }),
      )
    })
  await Promise.all(['1', '2', '3', '4'].map(write))
  t.deepEqual(await fixture.things(), ['1', '2', '3', '4'])
})

test.serial('a third level of units beside others is refused at once', async t => {
  const fixture = await createFixture(options)
  t.teardown(fixture.end)
  const { database } = fixture
  const below = (levels: number): Promise<unknown> =>
    database
      .tenant('ten_a')
      .transaction(async unit => (levels === 0 ? unit.query('select 1') : database.beside(() => below(levels - 1))))
  await t.notThrowsAsync(below(2))
  await t.throwsAsync(below(3), { message: /more than 2 levels/ })
  t.is(fixture.connectionCounts().used, 0)
})

test.serial('a unit beside another commits on its own, and its failure leaves the other one', async t => {
  const fixture = await createFixture(options)
  t.teardown(fixture.end)
  const { database } = fixture
  const written = database.tenant('ten_a').transaction(async unit => {
    await unit.query(insert, ['ten_a', 'lost', 'lost'])
    await database.beside(() => database.tenant('ten_b').query(insert, ['ten_b', 'kept', 'kept']))
    throw new Error('rolled back')
  })
  await t.throwsAsync(written, { message: 'rolled back' })
  t.deepEqual(await fixture.things(), ['kept'])
  await database.tenant('ten_a').transaction(async unit => {
    const failed = database.beside(() => database.tenant('ten_b').query(insert, ['ten_b', 'kept', 'again']))
    await t.throwsAsync(failed)
    await unit.query(insert, ['ten_a', 'also kept', 'also kept'])
  })
  t.deepEqual(await fixture.things(), ['also kept', 'kept'])
})

test.serial('outside a unit, it is a unit as any other', async t => {
  const fixture = await createFixture({ ...options, tenantConnections: 1 })
  t.teardown(fixture.end)
  const { database } = fixture
  let most = 0
  const unit = () =>
    database.beside(() =>
      database.tenant('ten_a').transaction(async inside => {
        most = Math.max(most, fixture.connectionCounts().used)
        await inside.query('select 1')
      }),
    )
  await Promise.all(Array.from({ length: 5 }, unit))
  t.is(most, 1)
})
