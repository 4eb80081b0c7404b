/** Hooks that take shared rows while their writes hold all connections of the process. */
import { fileURLToPath } from 'node:url'
import test from 'ava'
import { withPeople } from '../../../fixtures/with-people.ts'
import { createGate } from '../../../services/postgres/fixtures.ts'
import { offers, seats } from '../school/module.ts'

/** Those of the process. */
const CONNECTIONS = 16

const recipe = {
  modules: {
    identity: {},
    collections: {},
    school: { use: fileURLToPath(new URL('../school/module.js', import.meta.url)) },
  },
}

const { kernel, ada } = withPeople(
  test,
  { recipe, env: { DATABASE_TENANT_CONNECTIONS: String(CONNECTIONS) } },
  { ada: 'owner' },
)

const offer = async (count: number): Promise<string> => {
  const { collections, operator } = kernel.kernel.ports
  return (await collections.rows(offers, operator).create({ title: 'Algebra', seats: count })).id
}

test.serial('writes that hold all connections get their shared rows in turn', async t => {
  const { database, operatorRows, collections } = kernel.kernel.ports
  const id = await offer(100)
  let holding = 0
  const { open, opened } = createGate()
  const write = () =>
    database.tenant(ada.tenantId).transaction(async unit => {
      await unit.query('select 1')
      if (++holding === CONNECTIONS) open()
      await opened
      await operatorRows.transaction(store => store(seats).create({ offer: id }))
    })
  const writes = Array.from({ length: CONNECTIONS }, write)
  const bookings = Array.from({ length: CONNECTIONS }, () =>
    ada.post('/v1/data/bookings', { offer: id, student: 'Bob' }),
  )
  await Promise.all(writes)
  t.deepEqual([...new Set((await Promise.all(bookings)).map(({ status }) => status))], [201])
  const taken = await collections.rows(seats, kernel.kernel.ports.operator).list({ filter: { offer: id }, limit: 200 })
  t.is(taken.data.length, 2 * CONNECTIONS)
})

test.serial("hooks in the operator's workspace write shared rows in their own unit", async t => {
  const { database, operator, operatorRows } = kernel.kernel.ports
  const id = await offer(100)
  const undo = () => ({ job: 'school.give_back' as const, data: { seatId: 'seat_none' } })
  const write = () =>
    database.tenant(operator.tenantId).transaction(async () => {
      const rows = await operatorRows.transaction(async store => store(offers).update(id, { seats: 7 }), { undo })
      t.is(rows.seats, 7)
      throw new Error('rolled back')
    })
  const failed = await Promise.allSettled(Array.from({ length: 2 * CONNECTIONS }, write))
  t.deepEqual([...new Set(failed.map(each => each.status === 'rejected' && each.reason.message))], ['rolled back'])
  t.is((await kernel.kernel.ports.collections.rows(offers, operator).get(id)).seats, 100)
})
