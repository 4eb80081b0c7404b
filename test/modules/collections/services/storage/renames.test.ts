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
const both = async ({ owner }: Storage) =>
  (await owner.query<{ title: string; name: string }>('select title, name from data_courses order by id')).map(
    ({ title, name }) => `${title}=${name}`,
  )
const columns = async ({ owner }: Storage) =>
  (
    await owner.query<{ name: string }>(
      `select column_name as name from information_schema.columns where table_name = 'data_courses' and column_name in ('title', 'name')`,
    )
  ).map(({ name }) => name)

test('a renamed field is read and written under both names until the recipe no longer has was', async t => {
  const storage = await openStorage(t)
  await storage.apply(BEFORE)
  await storage.owner.query(
    `insert into data_courses (tenant_id, id, title) select 'ten_1', 'a' || n, n from generate_series(1, 2500) as n`,
  )
  await storage.apply(AFTER)
  const [filled] = await storage.owner.query('select count(*)::int as n from data_courses where title = name')
  t.deepEqual(filled, { n: 2500 })
  await storage.owner.query('delete from data_courses')
  await insert(storage, 'b1', { title: 'old' })
  await insert(storage, 'b2', { name: 'new' })
  await storage.owner.query(`update data_courses set title = 'older' where id = 'b1'`)
  await storage.owner.query(`update data_courses set name = 'newer' where id = 'b2'`)
  t.deepEqual(await both(storage), ['older=older', 'newer=newer'])
  t.deepEqual(await storage.planned(AFTER), [])

  t.deepEqual(await storage.planned(CONTRACTED), ['change field courses.name: no longer served as title'])
  await storage.apply(CONTRACTED)
  t.deepEqual(await columns(storage), ['name'])
  t.deepEqual(await storage.owner.query('select search::text from data_courses order by id'), [
    { search: "'older':1A" },
    { search: "'newer':1A" },
  ])
  t.deepEqual(await storage.planned(CONTRACTED), [])
  t.deepEqual(await storage.owner.query(`select proname from pg_proc where proname like 'larder\\_1\\_%'`), [])
})

test('a rolled back rename keeps the values that were written in the meantime, and can be repeated', async t => {
  const storage = await openStorage(t)
  await storage.apply(BEFORE)
  await storage.apply(AFTER)
  await insert(storage, 'b1', { name: 'new' })
  t.deepEqual(await storage.planned(BEFORE), [
    'change field courses.title: renamed from name, and still served as name',
  ])
  await storage.apply(BEFORE)
  t.deepEqual(await both(storage), ['new=new'])
  t.deepEqual(await storage.planned(BEFORE), [])
  await storage.apply(AFTER)
  t.deepEqual(await storage.planned(AFTER), [])
  await storage.apply(BEFORE)
  storage.now += 31 * 86_400_000
  t.deepEqual(await storage.planned(BEFORE), ['change field courses.title: no longer served as name'])
  await storage.apply(BEFORE)
  t.deepEqual(await columns(storage), ['title'])
})

test('a unique value can occur once, whichever name it is written under', async t => {
  const storage = await openStorage(t)
  await storage.apply(BEFORE)
  await storage.apply(AFTER)
  await insert(storage, 'b1', { name: 'same' })
  const error = await t.throwsAsync(insert(storage, 'b2', { title: 'same' }), { message: /duplicate key/ })
  await t.throwsAsync(insert(storage, 'b3', { name: 'same' }), { message: error?.message ?? '' })
})

test('a renamed field can be renamed again, removed, and changed', async t => {
  const storage = await openStorage(t)
  await storage.apply(BEFORE)
  await insert(storage, 'b1', { title: 'kept' })
  await storage.apply(AFTER)
  const again = courses(
    { label: { type: 'text', unique: true, was: 'name', required: true }, note: { type: 'text' } },
    { search: ['label', 'note'] },
  )
  await storage.apply(again)
  t.deepEqual(await storage.owner.query('select name, label, search::text from data_courses'), [
    { name: 'kept', label: 'kept', search: "'kept':1A" },
  ])
  t.deepEqual(await storage.planned(again), [])
  await storage.apply(courses({ note: { type: 'text' } }), true)
  t.deepEqual(await columns(storage), [])
  await insert(storage, 'b2', { note: 'works' })
})

test('references, computed fields and former versions are served under both names', async t => {
  const storage = await openStorage(t)
  const declared = (tags: string, next: string, twice: string, was: boolean) =>
    courses(
      {
        price: { type: 'integer' },
        [tags]: { type: 'reference', to: 'courses', many: true, ...(was && { was: 'tags' }) },
        [next]: { type: 'reference', to: 'courses', onDelete: 'clear', ...(was && { was: 'next' }) },
        [twice]: { type: 'computed', expression: 'price * 2', of: 'number', ...(was && { was: 'twice' }) },
      },
      { history: 3 },
    )
  await storage.apply(declared('tags', 'next', 'twice', false))
  await insert(storage, 'c1', { price: 1 })
  await insert(storage, 'c2', { price: 2, next: 'c1' })
  await storage.owner.query(`insert into data_courses__tags values ('ten_1', 'c2', 'c1')`)
  await storage.owner.query(`insert into data_courses__history values ('ten_1', 'c1', 1, now(), null, '{"next":"c2"}')`)
  const after = declared('labels', 'following', 'double', true)
  await storage.apply(after)
  t.deepEqual(await storage.planned(after), [])
  await storage.owner.query(
    `insert into data_courses__labels (tenant_id, row_id, target_id) values ('ten_1', 'c1', 'c2')`,
  )
  t.is((await storage.owner.query('select * from data_courses__tags')).length, 2)
  await storage.owner.query(
    `insert into data_courses__history values ('ten_1', 'c1', 2, now(), null, '{"following":"c1"}')`,
  )
  t.deepEqual(await storage.owner.query('select row from data_courses__history order by revision'), [
    { row: { next: 'c2', following: 'c2' } },
    { row: { next: 'c1', following: 'c1' } },
  ])
  await storage.owner.query('delete from data_courses__labels')
  await storage.owner.query(`delete from data_courses where id = 'c1'`)
  t.deepEqual(await storage.owner.query('select next, following, twice, double from data_courses'), [
    { next: null, following: null, twice: 4, double: 4 },
  ])
  const contracted = declared('labels', 'following', 'double', false)
  await storage.apply(contracted)
  t.deepEqual(await storage.planned(contracted), [])
  t.deepEqual(await storage.owner.query('select following, double from data_courses'), [{ following: null, double: 4 }])
})

test('the plan proposes was for a removed field that looks like a new one', async t => {
  const storage = await openStorage(t)
  await storage.apply(courses({ title: { type: 'text' }, price: { type: 'integer' } }))
  t.deepEqual(await storage.planned(courses({ heading: { type: 'text' } })), [
    'remove field courses.title: text | its values are kept for 30 days, then deleted. If heading is its new name, add `was: title` to heading',
    'remove field courses.price: integer | its values are kept for 30 days, then deleted',
    'add field courses.heading: text',
  ])
})
