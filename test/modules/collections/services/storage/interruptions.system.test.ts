import test from 'ava'
import { courses, openStorage, type Storage } from './fixtures.ts'

const BEFORE = courses({ title: { type: 'text', unique: true }, note: { type: 'text' } }, { search: ['title'] })
const AFTER = courses(
  { name: { type: 'text', unique: true, was: 'title' }, note: { type: 'text' } },
  { search: ['name'] },
)
const CONTRACTED = courses({ name: { type: 'text', unique: true }, note: { type: 'text' } }, { search: ['name'] })

const insert = ({ owner }: Storage, id: string, row: Readonly<Record<string, unknown>>) =>
  owner.query(
    `insert into data_courses (tenant_id, id, ${Object.keys(row).join(', ')})
     values ('ten_1', '${id}', ${Object.keys(row)
       .map((_, at) => `$${at + 1}`)
       .join(', ')})`,
    Object.values(row),
  )
const columns = async ({ owner }: Storage) =>
  (
    await owner.query<{ name: string }>(
      `select column_name as name from information_schema.columns where table_name = 'data_courses' and column_name in ('title', 'name')`,
    )
  ).map(({ name }) => name)

test('a rename that is interrupted at any statement is completed, or discarded by the former recipe', async t => {
  const storage = await openStorage(t)
  await storage.apply(BEFORE)
  await insert(storage, 'b1', { title: 'kept' })
  let interruptions = 0
  for (let statement = 1; await storage.interrupt(AFTER, statement); statement++) {
    interruptions++
    await storage.apply(statement % 2 === 0 ? AFTER : BEFORE)
    const [row] = await storage.owner.query<{ title: string }>('select title from data_courses')
    t.is(row?.title, 'kept', `after statement ${statement}`)
    await storage.apply(AFTER)
    await storage.apply(CONTRACTED)
    t.deepEqual(await storage.owner.query('select name from data_courses'), [{ name: 'kept' }])
    const back = courses(
      { title: { type: 'text', unique: true, was: 'name' }, note: { type: 'text' } },
      { search: ['title'] },
    )
    await storage.apply(back)
    await storage.apply(courses({ ...BEFORE.courses?.fields }, { search: ['title'] }))
    t.deepEqual(await columns(storage), ['title'])
  }
  t.true(interruptions > 8)
})

/** Statements between two interruptions of the backfill: odd, so that both ends of an interruption occur. The soak takes all. */
const STRIDE = Number(process.env.LARDER_STRIDE ?? 3)
/** More than a batch. */
const ROWS = 1100
const SUM = (ROWS * (ROWS + 1)) / 2

test('a backfill that is interrupted at any statement is continued, or discarded by the former recipe', async t => {
  const before = courses({ price: { type: 'text', index: true }, sum: { type: 'text' }, note: { type: 'text' } })
  const after = courses({
    price: { type: 'integer', index: true, required: true, using: 'number(price)' },
    sum: { type: 'text' },
    cents: { type: 'integer', required: true, using: 'number(sum) * 100' },
    note: { type: 'text', required: true, using: "'none'" },
  })
  const storage = await openStorage(t)
  let interruptions = 0
  for (let statement = 1; ; statement += STRIDE) {
    await storage.owner.query(
      'drop table if exists data_courses; delete from collections_schema; delete from collections_retired',
    )
    await storage.owner.query('delete from collections_expansions')
    await storage.apply(before)
    await storage.owner.query(
      `insert into data_courses (tenant_id, id, price, sum) select 'ten_1', 'c' || n, n::text, n::text from generate_series(1, ${ROWS}) as n`,
    )
    const isInterrupted = await storage.interrupt(after, statement)
    if (statement % 2 === 0 && isInterrupted) {
      await storage.apply(before, true)
      t.deepEqual(await storage.planned(before), [], `after statement ${statement}`)
      const former = await storage.owner.query('select sum(price::integer)::int as price from data_courses')
      t.deepEqual(former, [{ price: SUM }], `after statement ${statement}`)
    }
    await storage.apply(after, true)
    const [row] = await storage.owner.query(
      `select sum(price)::int as price, sum(cents)::int as cents, count(*) filter (where note = 'none')::int as notes
         from data_courses `,
    )
    t.deepEqual(row, { price: SUM, cents: SUM * 100, notes: ROWS }, `after statement ${statement}`)
    if (!isInterrupted) break
    interruptions++
  }
  t.true(interruptions * STRIDE > 15)
})
