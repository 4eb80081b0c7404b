/** An update of ICU, which may order names otherwise. */
import test from 'ava'
import { courses, openStorage } from './fixtures.ts'

const NAMED = courses({ title: { type: 'text', index: true }, code: { type: 'integer', index: true } })

test('rebuilds the indexes of names after an update of ICU, and no others', async t => {
  const storage = await openStorage(t)
  await storage.apply(NAMED)
  const filesOf = async () =>
    Object.fromEntries(
      (
        await storage.owner.query<{ name: string; file: string }>(
          `select a.attname as name, pg_relation_filenode(i.indexrelid)::text as file from pg_index i
             join pg_attribute a on a.attrelid = i.indrelid and a.attnum = i.indkey[1]
            where i.indrelid = 'data_courses'::regclass and not i.indisprimary`,
        )
      ).map(({ name, file }) => [name, file]),
    )
  t.deepEqual(await storage.planned(NAMED), [])
  const before = await filesOf()
  await storage.owner.query(`update pg_collation set collversion = '1' where collname = 'larder_names'`)
  t.regex((await storage.planned(NAMED)).join(), /^change order of names: rebuilds 1 index: ICU 1 → [\d.]+$/)
  await storage.apply(NAMED)
  const after = await filesOf()
  t.not(after.title, before.title)
  t.is(after.code, before.code)
  t.deepEqual(await storage.planned(NAMED), [])
})

test('replaces an index of another order before it drops it', async t => {
  const storage = await openStorage(t)
  await storage.apply(NAMED)
  const [{ name } = { name: '' }] = await storage.owner.query<{ name: string }>(
    `select indexrelid::regclass::text as name from pg_index where indrelid = 'data_courses'::regclass
      and pg_get_indexdef(indexrelid) like '%larder_names%'`,
  )
  await storage.owner.query(`drop index "${name}"`)
  await storage.owner.query('create index data_courses_former_idx on data_courses (tenant_id, title, id)')
  // Locks, state, and the creation of the missing index.
  for (let statement = 1; await storage.interrupt(NAMED, statement); statement++) {
    const rows = await storage.owner.query(
      `select from pg_index i join pg_attribute a on a.attrelid = i.indrelid and a.attnum = i.indkey[1]
        where i.indrelid = 'data_courses'::regclass and a.attname = 'title' and i.indisvalid`,
    )
    t.true(rows.length >= 1)
  }
  const left = await storage.owner.query(`select from pg_class where relname = 'data_courses_former_idx'`)
  t.is(left.length, 0)
})
