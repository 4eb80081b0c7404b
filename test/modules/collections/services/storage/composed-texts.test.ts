/** Rows that were stored before texts were composed (NFC) where they enter. */
import test from 'ava'
import { courses, openStorage } from './fixtures.ts'

const NAMED = courses({ title: { type: 'text', unique: true }, note: { type: 'longtext' }, code: { type: 'integer' } })
const [COMPOSED, DECOMPOSED] = ['Café', 'Cafe\u0301']

test('composes the texts of stored rows once, and keeps one that would repeat a unique value', async t => {
  const storage = await openStorage(t)
  await storage.apply(NAMED)
  await storage.owner.query('delete from collections_composed')
  await storage.owner.query(
    `insert into data_courses (tenant_id, id, title, note) values
       ('ten_a', 'course_1', $1, $1), ('ten_a', 'course_2', $2, 'plain'), ('ten_b', 'course_3', $1, null), ('ten_b', 'course_4', 'x', $1)`,
    [DECOMPOSED, COMPOSED],
  )
  await storage.apply(NAMED)
  const read = () => storage.owner.query('select id, title, note from data_courses order by id')
  const rows = await read()
  t.deepEqual(rows, [
    { id: 'course_1', title: DECOMPOSED, note: DECOMPOSED },
    { id: 'course_2', title: COMPOSED, note: 'plain' },
    { id: 'course_3', title: COMPOSED, note: null },
    { id: 'course_4', title: 'x', note: COMPOSED },
  ])
  await storage.apply(NAMED)
  t.deepEqual(await read(), rows)
})
