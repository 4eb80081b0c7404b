/** Hooks in the workspaces of customers that read and write shared rows. */
import { fileURLToPath } from 'node:url'
import test from 'ava'
import type { Person } from '../../../../testing/index.ts'
import { codeOf } from '../../../fixtures/people.ts'
import { waitFor } from '../../../fixtures/wait.ts'
import { withPeople } from '../../../fixtures/with-people.ts'
import { offers, seats } from '../school/module.ts'

const recipe = {
  modules: {
    identity: {},
    collections: {},
    school: { use: fileURLToPath(new URL('../school/module.js', import.meta.url)) },
  },
}

const { kernel, clock, ada, eve } = withPeople(test, { recipe, clock: true }, { ada: 'owner', eve: 'owner' })

const shared = () => {
  const { collections, operator } = kernel.kernel.ports
  const scope = { tenantId: operator.tenantId }
  return { offers: collections.rows(offers, scope), seats: collections.rows(seats, scope) }
}
const offer = async (count: number): Promise<string> =>
  (await shared().offers.create({ title: 'Algebra', seats: count })).id
const taken = async (id: string): Promise<number> =>
  (await shared().seats.list({ filter: { offer: id }, limit: 200 })).data.length
const book = (who: Person, id: string, student = 'Bob') =>
  who.post<{ seat: string }>('/v1/data/bookings', { offer: id, student })
const bookings = async (who: Person, id: string): Promise<number> =>
  (await who.get<{ data: unknown[] }>(`/v1/data/bookings?filter[offer]=${id}`)).body.data.length

/** Until a job could have given back what was taken. */
async function later(): Promise<void> {
  clock.forward(60_000)
  const { jobs, operator } = kernel.kernel.ports
  await jobs.enqueue('school.give_back', { seatId: 'seat_none' }, { tenantId: operator.tenantId })
  await kernel.settled()
}

test.serial('a hook takes a shared row, which stays when the write succeeds', async t => {
  const id = await offer(2)
  const first = await book(ada, id)
  t.is(first.status, 201, JSON.stringify(first.body))
  t.is((await book(eve, id)).status, 201)
  t.is(codeOf(await book(ada, id)), '409 sold_out')
  await later()
  t.is(await taken(id), 2)
})

test.serial('what was taken is given back when the write fails afterwards', async t => {
  const id = await offer(1)
  t.is(codeOf(await book(ada, id, 'Fails')), '500 hook_failed')
  t.is(await bookings(ada, id), 0)
  await later()
  await waitFor(
    () => taken(id),
    count => count === 0,
  )
  t.is((await book(eve, id)).status, 201)
})

test.serial('a list whose second row fails gives back the seats of both rows', async t => {
  const id = await offer(5)
  const rows = ['Bob', 'Fails'].map(student => ({ offer: id, student }))
  t.is(codeOf(await ada.post('/v1/data/bookings', rows as never)), '500 hook_failed')
  await later()
  await waitFor(
    () => taken(id),
    count => count === 0,
  )
  t.is(await bookings(ada, id), 0)
})

test.serial('nothing is written if the unit of the shared rows fails', async t => {
  const id = await offer(0)
  t.is(codeOf(await book(ada, id)), '409 sold_out')
  t.is(await bookings(ada, id), 0)
  t.is(await taken(id), 0)
})

test.serial('concurrent bookings of two workspaces take exactly the seats that there are', async t => {
  const id = await offer(3)
  const replies = await Promise.all(Array.from({ length: 8 }, (_, at) => book(at % 2 ? ada : eve, id)))
  t.deepEqual(replies.map(({ status }) => status).sort(), [...Array(3).fill(201), ...Array(5).fill(409)])
  await later()
  t.is(await taken(id), 3)
  t.is((await bookings(ada, id)) + (await bookings(eve, id)), 3)
})

test.serial('a repeated job gives back nothing twice', async t => {
  const id = await offer(2)
  const { body } = await book(ada, id)
  const seat = (await shared().seats.list({ filter: { offer: id } })).data[0]
  t.is(typeof seat?.id, 'string', JSON.stringify(body))
  const { jobs, operator } = kernel.kernel.ports
  for (let times = 0; times < 2; times++) {
    await jobs.enqueue('school.give_back', { seatId: seat?.id ?? '' }, { tenantId: operator.tenantId })
    await kernel.settled()
  }
  t.is(await taken(id), 0)
})

test.serial('shared rows stay closed to the unit of a workspace, and undo needs a unit', async t => {
  const { database, collections, operator, operatorRows } = kernel.kernel.ports
  const inside = database
    .tenant(ada.tenantId)
    .transaction(() => collections.rows(offers, { tenantId: operator.tenantId }).list())
  await t.throwsAsync(inside, { message: /inside a unit of tenant/ })
  const undo = () => ({ job: 'school.give_back' as const, data: { seatId: 'seat_none' } })
  await t.throwsAsync(
    operatorRows.transaction(async () => 1, { undo }),
    { message: /needs a surrounding unit/ },
  )
  t.is(await database.tenant(ada.tenantId).transaction(() => operatorRows.transaction(async () => 1)), 1)
})
