/** Collections whose search was made by an earlier version, as a generated column. */
import test from 'ava'
import { courses, openStorage, type Storage } from './fixtures.ts'

const SEARCHED = courses({ title: { type: 'text' }, note: { type: 'text' } }, { search: ['title'] })
const RENAMED = courses({ name: { type: 'text', was: 'title' }, note: { type: 'text' } }, { search: ['name'] })
const ROWS = 2500

/** With rows that version 0.1 has stored. */
async function openEarlier(t: Parameters<typeof openStorage>[0]): Promise<Storage> {
  const storage = await openStorage(t)
  await storage.apply(SEARCHED)
  const { owner } = storage
  await owner.query('drop function larder_3_search_data_courses () cascade')
  await owner.query('alter table data_courses drop column search')
  await owner.query(
    `alter table data_courses add column search tsvector generated always as (setweight(to_tsvector('simple'::regconfig, coalesce(title, '')), 'A')) stored`,
  )
  await owner.query(`update collections_schema set layout = jsonb_set(layout, '{searchVersion}', '2')`)
  await owner.query(
    `insert into data_courses (tenant_id, id, title)
     select 'ten_a', 'course_' || lpad(i::text, 8, '0'), 'Überweisung ' || i from generate_series(1, ${ROWS}) i`,
  )
  return storage
}

const count = async ({ owner }: Storage, word: string): Promise<number> => {
  const rows = await owner.query<{ count: number }>(
    `select count(*)::int as count from data_courses where search @@ to_tsquery('simple', $1)`,
    [word],
  )
  return rows[0]?.count ?? 0
}

const hasIndex = async ({ owner }: Storage): Promise<boolean> => {
  const rows = await owner.query<{ name: string }>(
    `select indexrelid::regclass::text as name from pg_index
     where indrelid = 'data_courses'::regclass and indisvalid and pg_get_indexdef(indexrelid) like '%gin (tenant_id, search)'`,
  )
  return rows.length === 1
}

test('indexes existing rows again, in batches, and keeps the words of later changes', async t => {
  const storage = await openEarlier(t)
  t.deepEqual(await storage.planned(SEARCHED), ['change collection courses: indexes its search again (title)'])
  t.is(await count(storage, 'uberweisung'), 0)
  await storage.apply(SEARCHED)
  t.is(await count(storage, 'uberweisung'), ROWS)
  t.true(await hasIndex(storage))
  t.deepEqual(await storage.planned(SEARCHED), [])
  await storage.owner.query(`update data_courses set title = 'Größe' where id = 'course_00000001'`)
  t.is(await count(storage, 'grosse'), 1)
  t.is(await count(storage, 'uberweisung'), ROWS - 1)
})

test('does not rewrite the table, nor lock it for the time of the change', async t => {
  const storage = await openEarlier(t)
  const fileOf = async () =>
    (await storage.owner.query<{ file: string }>(`select pg_relation_filenode('data_courses')::text as file`))[0]?.file
  const before = await fileOf()
  await storage.apply(SEARCHED)
  t.is(await fileOf(), before)
})

test('continues an interrupted change, with rows that were written meanwhile', async t => {
  const storage = await openEarlier(t)
  let inserted = 0
  for (let statement = 1; await storage.interrupt(SEARCHED, statement); statement += 3) {
    await storage.owner.query(`insert into data_courses (tenant_id, id, title) values ('ten_a', $1, 'Überweisung')`, [
      `course_later_${inserted++}`,
    ])
    t.is(await count(storage, 'Überweisung | uberweisung'), ROWS + inserted)
  }
  t.true(inserted > 3)
  t.is(await count(storage, 'uberweisung'), ROWS + inserted)
  t.true(await hasIndex(storage))
  const rows = await storage.owner.query(`select from pg_proc where proname like 'larder_2_%'`)
  t.deepEqual(rows, [])
})

test('keeps the words of a renamed field under both names', async t => {
  const storage = await openEarlier(t)
  await storage.apply(RENAMED)
  t.is(await count(storage, 'uberweisung'), ROWS)
  await storage.owner.query(`update data_courses set name = 'Größe' where id = 'course_00000001'`)
  await storage.owner.query(`update data_courses set title = 'Süß' where id = 'course_00000002'`)
  t.is(await count(storage, 'grosse | suss'), 2)
  await storage.apply(courses({ name: { type: 'text' }, note: { type: 'text' } }, { search: ['name'] }))
  await storage.owner.query(`update data_courses set name = 'Öl' where id = 'course_00000003'`)
  t.is(await count(storage, 'ol'), 1)
})

test('searches a field that the same change adds', async t => {
  const storage = await openEarlier(t)
  const after = courses(
    { title: { type: 'text' }, note: { type: 'text' }, more: { type: 'text', default: 'Zugabe' } },
    { search: ['title', 'more'] },
  )
  await storage.apply(after)
  t.is(await count(storage, 'zugabe & uberweisung'), ROWS)
})
