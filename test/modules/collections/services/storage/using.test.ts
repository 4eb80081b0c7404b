import test from 'ava'
import { courses, openStorage, type Storage } from './fixtures.ts'

const insert = ({ owner }: Storage, id: string, row: Readonly<Record<string, unknown>>) =>
  owner.query(
    `insert into data_courses (tenant_id, id, ${Object.keys(row).join(', ')})
     values ('ten_1', '${id}', ${Object.keys(row)
       .map((_, at) => `$${at + 1}`)
       .join(', ')})`,
    Object.values(row),
  )
const rows = ({ owner }: Storage, columns: string) => owner.query(`select ${columns} from data_courses order by id`)

test('using converts the values of a field with another type, and its indexes and computed fields follow', async t => {
  const storage = await openStorage(t)
  await storage.apply(
    courses({
      price: { type: 'text', index: true, required: true },
      shout: { type: 'computed', expression: 'upper(price)', of: 'text' },
    }),
  )
  await storage.owner.query(
    `insert into data_courses (tenant_id, id, price) select 'ten_1', 'c' || n, n || '.4' from generate_series(1, 2500) as n`,
  )
  const after = courses({
    price: { type: 'integer', index: true, required: true, using: 'number(price) * 10' },
    shout: { type: 'computed', expression: 'price * 2', of: 'number' },
  })
  t.deepEqual(await storage.planned(after), [
    'change field courses.shout: computed again',
    'change field courses.price: type text → integer, using number(price) * 10',
    'add field courses.shout: computed',
    'change collection courses: computes its fields again',
  ])
  await storage.apply(after)
  t.deepEqual(await storage.planned(after), [])
  const [row] = await storage.owner.query('select sum(price)::int as price, sum(shout)::int as shout from data_courses')
  t.deepEqual(row, { price: 31_272_500, shout: 62_545_000 })
  t.deepEqual(await storage.owner.query(`select proname from pg_proc where proname like 'larder\\_%data%'`), [])
  t.deepEqual(await storage.owner.query('select count(*)::int as n from collections_retired'), [{ n: 1 }])
})

test('the plan lists the rows for which using gives no value, or one that does not fit', async t => {
  const storage = await openStorage(t)
  await storage.apply(courses({ price: { type: 'text' } }))
  for (const [at, price] of ['12', 'free', '-3', null].entries()) await insert(storage, `c${at + 1}`, { price })
  const required = courses({ price: { type: 'integer', required: true, min: 0, using: 'number(price)' } })
  t.deepEqual(await storage.planned(required), [
    'change field courses.price: type text → integer, using number(price) | no value from using: 2 rows (c2, c4) | below 0: 1 row (c3)',
  ])
  await t.throwsAsync(storage.apply(required, true), { code: 'collections_blocked' })
  const optional = courses({ price: { type: 'integer', using: 'number(price)' } })
  t.regex((await storage.planned(optional)).join(), /using gives no value for some rows/)
  await t.throwsAsync(storage.apply(optional), { code: 'collections_lose_data' })
  await storage.apply(optional, true)
  t.deepEqual(await rows(storage, 'price'), [{ price: '12' }, { price: null }, { price: '-3' }, { price: null }])
})

test('a required field gets its value from using, also in rows of an earlier recipe, until using is removed', async t => {
  const storage = await openStorage(t)
  const note = { note: { type: 'text' } } as const
  await storage.apply(courses({ price: { type: 'integer' }, ...note }))
  await insert(storage, 'c1', { price: 2, note: null })
  const fields = (using: boolean) =>
    courses({
      price: { type: 'integer' },
      cents: { type: 'integer', required: true, ...(using && { using: 'coalesce(price, 0) * 100' }) },
      note: { type: 'text', required: true, ...(using && { using: "'none'" }) },
    })
  await storage.apply(fields(true))
  t.deepEqual(await storage.planned(fields(true)), [])
  await insert(storage, 'c2', { price: 3 })
  t.deepEqual(await rows(storage, 'price, cents, note'), [
    { price: '2', cents: '200', note: 'none' },
    { price: '3', cents: '300', note: 'none' },
  ])
  // A start with the earlier recipe keeps the field and what fills it.
  await storage.apply(courses({ price: { type: 'integer' }, ...note }))
  await insert(storage, 'c3', { price: 4 })
  t.deepEqual((await rows(storage, 'cents')).at(-1), { cents: '400' })
  await storage.owner.query(`update data_courses set note = 'some' where note is null`)
  await storage.apply(fields(false))
  await t.throwsAsync(insert(storage, 'c4', { price: 5 }), { message: /null value in column/ })
})

test('a mistake in using blocks the change', async t => {
  const storage = await openStorage(t)
  await storage.apply(courses({ price: { type: 'text' }, day: { type: 'date' } }))
  const planned = async (using: string) =>
    (await storage.planned(courses({ price: { type: 'integer', using }, day: { type: 'date' } }))).join()
  t.regex(await planned('number(prize)'), /Unknown field "prize" in courses before the change/)
  t.regex(await planned('price'), /The result of using is a text, but the field is of type integer/)
  t.regex(await planned('number(day)'), /Expected a text, but found a date/)
})

test('a field that using reads can be renamed, converted and removed later', async t => {
  const storage = await openStorage(t)
  await storage.apply(courses({ price: { type: 'integer' } }))
  const cents = { type: 'integer', required: true, using: 'coalesce(price, 0) * 100' } as const
  await storage.apply(courses({ price: { type: 'integer' }, cents }))
  const settled = { ...cents, using: undefined } as never
  await storage.apply(courses({ amount: { type: 'integer', was: 'price' }, cents: settled }))
  await insert(storage, 'c1', { amount: 1, cents: 100 })
  await storage.apply(courses({ amount: { type: 'text', using: 'text(amount)' }, cents: settled }))
  t.deepEqual(await rows(storage, 'amount, cents'), [{ amount: '1', cents: '100' }])
  await storage.apply(courses({ cents: settled }), true)
  await insert(storage, 'c2', { cents: 1 })
})
