import test from 'ava'
import { courses, openStorage, type Storage } from './fixtures.ts'

const DAY = 86_400_000
const TITLE = { title: { type: 'text' } } as const

async function insert({ owner }: Storage, rows: readonly Readonly<Record<string, unknown>>[]): Promise<void> {
  for (const [index, row] of rows.entries()) {
    const columns = Object.keys(row)
    await owner.query(
      `insert into data_courses (tenant_id, id, ${columns.join(', ')})
       values ('ten_1', $1, ${columns.map((_, position) => `$${position + 2}`).join(', ')})`,
      [`course_${index + 1}`, ...Object.values(row)],
    )
  }
}
const values = async ({ owner }: Storage, column: string) =>
  (await owner.query<{ value: unknown }>(`select ${column} as value from data_courses order by id`)).map(
    ({ value }) => value,
  )

test('applies a recipe twice without changes', async t => {
  const storage = await openStorage(t)
  await storage.apply(courses(TITLE))
  t.deepEqual(await storage.planned(courses(TITLE)), [])
  await storage.apply(courses(TITLE))
})

test('adds fields, with the default in existing rows', async t => {
  const storage = await openStorage(t)
  await storage.apply(courses(TITLE))
  await insert(storage, [{ title: 'a' }, { title: 'b' }])
  const after = courses({
    ...TITLE,
    level: { type: 'enum', values: ['low', 'high'], default: 'low', required: true },
    length: { type: 'duration', default: '90m' },
    note: { type: 'text', index: true },
  })
  t.deepEqual(await storage.planned(after), [
    'add field courses.level: enum, required, default "low"',
    'add field courses.length: duration, default "90m"',
    'add field courses.note: text',
  ])
  await storage.apply(after)
  t.deepEqual(await values(storage, 'level'), ['low', 'low'])
  t.deepEqual(await values(storage, 'length'), ['5400000', '5400000'])
  t.deepEqual(await storage.planned(after), [])
})

test('refuses a required field without a default while there are rows', async t => {
  const storage = await openStorage(t)
  await storage.apply(courses(TITLE))
  await insert(storage, [{ title: 'a' }, { title: null }])
  const added = courses({ ...TITLE, level: { type: 'text', required: true } })
  t.deepEqual(await storage.planned(added), [
    'add field courses.level: text, required | required without a default: 2 rows (course_1, course_2)',
  ])
  await t.throwsAsync(storage.apply(added, true), { code: 'collections_blocked' })
  const required = courses({ title: { type: 'text', required: true } })
  t.regex((await storage.planned(required)).join(), /no value.*: 1 row \(course_2\)/)
  await t.throwsAsync(storage.apply(required, true), { code: 'collections_blocked' })
  t.deepEqual(await storage.planned(courses(TITLE)), [])
})

test('refuses a unique field with duplicates, which it lists, and accepts it without them', async t => {
  const storage = await openStorage(t)
  await storage.apply(courses(TITLE))
  await insert(storage, [{ title: 'a' }, { title: 'a' }, { title: 'b' }, { title: 'b' }, { title: 'c' }])
  const after = courses({ title: { type: 'text', unique: true } })
  t.deepEqual(await storage.planned(after), [
    'change field courses.title: unique | more than once in a workspace: 2 values (a, b)',
  ])
  await t.throwsAsync(storage.apply(after), { code: 'collections_blocked' })
  await storage.owner.query(`update data_courses set title = id`)
  await storage.apply(after)
  await t.throwsAsync(storage.owner.query(`update data_courses set title = 'same'`), { message: /duplicate key/ })
})

test('refuses narrowed bounds that rows do not fit, and accepts widened ones', async t => {
  const storage = await openStorage(t)
  await storage.apply(
    courses({
      title: { type: 'text', maxLength: 10 },
      price: { type: 'integer', min: 0 },
      level: { type: 'enum', values: ['a', 'b'] },
      length: { type: 'duration' },
    }),
  )
  await insert(storage, [{ title: '12345', price: 5, level: 'a', length: 60_000 }])
  const narrow = courses({
    title: { type: 'text', maxLength: 3 },
    price: { type: 'integer', min: 10 },
    level: { type: 'enum', values: ['b', 'c'] },
    length: { type: 'duration', max: '30s' },
  })
  t.deepEqual(await storage.planned(narrow), [
    'change field courses.title: maxLength 10 → 3 | longer than 3 characters: 1 row (course_1)',
    'change field courses.price: min 0 → 10 | below 10: 1 row (course_1)',
    'change field courses.level: values a|b → b|c | a value that is not listed: 1 row (course_1)',
    'change field courses.length: max none → 30s | above 30s: 1 row (course_1)',
  ])
  await t.throwsAsync(storage.apply(narrow, true), { code: 'collections_blocked' })
  await storage.apply(
    courses({
      title: { type: 'longtext', maxLength: 1000 },
      price: { type: 'number', min: -1 },
      level: { type: 'enum', values: ['a', 'b', 'c'] },
      length: { type: 'duration', max: '1h' },
    }),
  )
  t.deepEqual(await values(storage, 'price'), [5])
})

test('renames collections and fields with their values, indexes and versions', async t => {
  const storage = await openStorage(t)
  const before = courses(
    {
      title: { type: 'text', unique: true },
      tags: { type: 'reference', to: 'courses', many: true },
      parent: { type: 'reference', to: 'courses' },
    },
    { history: 3, search: ['title'] },
  )
  await storage.apply(before)
  await insert(storage, [{ title: 'a' }])
  await storage.owner.query(
    `insert into data_courses__history values ('ten_1', 'course_1', 1, now(), null, '{"title":"old"}')`,
  )
  await storage.owner.query(`insert into data_courses__tags values ('ten_1', 'course_1', 'course_1')`)
  const after = {
    lessons: {
      was: 'courses',
      fields: {
        name: { type: 'text', unique: true, was: 'title' },
        labels: { type: 'reference', to: 'lessons', many: true, was: 'tags' },
        parent: { type: 'reference', to: 'lessons' },
      },
      history: 3,
      search: ['name'],
    },
  } as const
  t.deepEqual(await storage.planned(after), [
    'change collection lessons: renamed from courses',
    'change field lessons.name: renamed from title',
    'change field lessons.labels: renamed from tags',
  ])
  await storage.apply(after)
  t.deepEqual(await storage.owner.query(`select name from data_lessons`), [{ name: 'a' }])
  t.deepEqual(await storage.owner.query(`select row from data_lessons__history`), [{ row: { name: 'old' } }])
  t.deepEqual(await storage.owner.query(`select target_id as id from data_lessons__labels`), [{ id: 'course_1' }])
  t.deepEqual(await storage.planned(after), [])
  const { lessons } = after
  await storage.apply({
    lessons: {
      ...lessons,
      fields: { ...lessons.fields, parent: { type: 'reference', to: 'lessons', onDelete: 'clear' } },
    },
  })
})

test('takes the rename of a collection back with was', async t => {
  const storage = await openStorage(t)
  await storage.apply(courses(TITLE))
  await insert(storage, [{ title: 'a' }])
  await storage.apply({ lessons: { was: 'courses', fields: TITLE } })
  await storage.apply({ courses: { was: 'lessons', fields: TITLE } })
  t.deepEqual(await values(storage, 'title'), ['a'])
})

test('retires a removed field, which can be declared again for 30 days', async t => {
  const storage = await openStorage(t)
  const before = courses({ ...TITLE, level: { type: 'text', required: true, unique: true } })
  await storage.apply(before)
  await insert(storage, [{ title: 'a', level: 'low' }])
  t.deepEqual(await storage.planned(courses(TITLE)), [
    'remove field courses.level: text | its values are kept for 30 days, then deleted',
  ])
  await storage.apply(courses(TITLE), true)
  await storage.owner.query(`insert into data_courses (tenant_id, id, title) values ('ten_1', 'course_2', 'b')`)
  const again = courses({ ...TITLE, level: { type: 'text', unique: true } })
  t.deepEqual(await storage.planned(again), ['add field courses.level: restored with its values'])
  await storage.apply(again)
  t.deepEqual(await values(storage, 'level'), ['low', null])
  await storage.apply(courses(TITLE), true)
  storage.now += 31 * DAY
  await storage.purge()
  t.deepEqual(await storage.planned(again), ['add field courses.level: text'])
  const columns = await storage.owner.query(
    `select from pg_attribute where attrelid = 'data_courses'::regclass and attname like 'retired%' and not attisdropped`,
  )
  t.is(columns.length, 0)
})

test('a start keeps collections, fields and the search that the recipe no longer has', async t => {
  const storage = await openStorage(t)
  const tags = { tags: { fields: { name: { type: 'text' } } } } as const
  const later = {
    ...tags,
    ...courses(
      {
        ...TITLE,
        seats: { type: 'integer', required: true, default: 1 },
        code: { type: 'text', required: true },
        tag: { type: 'reference', to: 'tags' },
        twice: { type: 'computed', expression: 'seats * 2', of: 'number' },
      },
      { search: ['title', 'code'] },
    ),
  }
  await storage.apply(later)
  await insert(storage, [{ title: 'a', seats: 2, code: 'x' }])
  const earlier = courses(TITLE)
  await storage.apply(earlier)
  await storage.owner.query(`insert into data_courses (tenant_id, id, title) values ('ten_1', 'course_2', 'b')`)
  t.deepEqual(await storage.owner.query('select title, seats, code, twice from data_courses order by id'), [
    { title: 'a', seats: '2', code: 'x', twice: 4 },
    { title: 'b', seats: '1', code: null, twice: 2 },
  ])
  t.is((await storage.planned(earlier)).filter(line => line.startsWith('remove')).length, 5)
  t.deepEqual(await storage.planned(later), [
    'change field courses.code: required | no value, and the field has no default: 1 row (course_2)',
  ])
  await storage.owner.query(`update data_courses set code = 'y' where code is null`)
  await storage.apply(later)
  t.deepEqual(await storage.planned(later), [])
})

test('counts texts that show nothing when their field becomes required, and keeps them', async t => {
  const storage = await openStorage(t)
  await storage.apply(courses(TITLE))
  await insert(storage, [{ title: 'a' }, { title: '' }, { title: ' \u200b' }])
  const required = courses({ title: { type: 'text', required: true } })
  const [line = ''] = await storage.planned(required)
  t.regex(line, /^change field courses\.title: required \| a text that shows nothing, .*: 2 rows \(/)
  await storage.apply(required)
  t.is((await storage.owner.query('select title from data_courses')).length, 3)
  t.deepEqual(await storage.planned(required), [])
})

test('retires a removed collection with its references, which can be declared again', async t => {
  const storage = await openStorage(t)
  const both = {
    tags: { fields: { name: { type: 'text' } } },
    ...courses(
      { ...TITLE, tag: { type: 'reference', to: 'tags' }, tags: { type: 'reference', to: 'tags', many: true } },
      { history: 2 },
    ),
  } as const
  await storage.apply(both)
  await storage.owner.query(
    `insert into data_tags (tenant_id, id, name) values ('ten_1', 'tag_1', 'a'), ('ten_1', 'tag_2', 'b')`,
  )
  await insert(storage, [
    { title: 'a', tag: 'tag_1' },
    { title: 'b', tag: 'tag_2' },
  ])
  await storage.owner.query(
    `insert into data_courses__tags values ('ten_1', 'course_1', 'tag_1'), ('ten_1', 'course_1', 'tag_2')`,
  )
  const alone = { tags: both.tags }
  t.regex(
    (await storage.planned(alone)).join(),
    /^remove collection courses: 3 fields \| its rows are kept for 30 days/,
  )
  await storage.apply(alone, true)
  await storage.owner.query(`delete from data_tags where id = 'tag_2'`)
  t.deepEqual(await storage.planned(both), ['add collection courses: restored with its rows'])
  await storage.apply(both)
  t.deepEqual(await values(storage, 'tag'), ['tag_1', null])
  t.deepEqual(await storage.owner.query(`select target_id from data_courses__tags`), [{ target_id: 'tag_1' }])
  await storage.apply({}, true)
  storage.now += 31 * DAY
  await storage.purge()
  t.deepEqual(
    await storage.owner.query(
      `select tablename from pg_tables where schemaname = 'public' and tablename like '%data\\_%'`,
    ),
    [],
  )
  t.regex((await storage.planned(both)).join(), /add collection courses: title, tag, tags/)
})

test('keeps the values of a field whose type changes without a conversion', async t => {
  const storage = await openStorage(t)
  const computed = { type: 'computed', expression: "title + '!'", of: 'text' } as const
  await storage.apply(courses({ ...TITLE, shout: computed }, { search: ['title'] }))
  await insert(storage, [{ title: 'a' }])
  const after = courses({
    title: { type: 'integer' },
    shout: { type: 'computed', expression: 'title + 1', of: 'number' },
  })
  t.regex(
    (await storage.planned(after)).join('\n'),
    /change field courses.title: type text → integer \| the former values/,
  )
  await t.throwsAsync(storage.apply(after), { code: 'collections_lose_data' })
  await storage.apply(after, true)
  await storage.owner.query(`update data_courses set title = 4`)
  t.deepEqual(await values(storage, 'shout'), [5])
  await storage.apply(courses({ ...TITLE, shout: computed }, { search: ['title'] }), true)
  t.deepEqual(await values(storage, 'title'), ['a'])
  t.deepEqual(await values(storage, 'shout'), ['a!'])
  t.deepEqual(await values(storage, 'search::text'), ["'a':1A"])
})

test('lists rows whose values became stale when a change of type is taken back', async t => {
  const storage = await openStorage(t)
  const before = courses(TITLE)
  await storage.apply(before)
  await insert(storage, [{ title: 'a' }, { title: 'b' }])
  await storage.owner.query(`update data_courses set updated_at = '2025-12-31T00:00:00Z'`)
  await storage.apply(courses({ title: { type: 'integer' } }), true)
  t.regex((await storage.planned(before)).join('\n'), /add field courses.title: restored with its values$/m)
  await storage.owner.query(
    `update data_courses set title = 4, updated_at = '2026-01-02T00:00:00Z'
      where id = (select min(id) from data_courses)`,
  )
  const [{ id } = { id: '' }] = await storage.owner.query<{ id: string }>('select min(id) as id from data_courses')
  t.regex(
    (await storage.planned(before)).join('\n'),
    new RegExp(
      `restored with its values \\| written since 2026-01-01T00:00:00.000Z, and get their value from before, or none: 1 row \\(${id}\\)`,
    ),
  )
  await t.notThrowsAsync(storage.apply(before, true))
})

test('notes no stale rows for a field that was removed and is declared again', async t => {
  const storage = await openStorage(t)
  await storage.apply(courses({ ...TITLE, note: { type: 'text' } }))
  await insert(storage, [{ title: 'a', note: 'n' }])
  await storage.apply(courses(TITLE), true)
  await storage.owner.query(`update data_courses set updated_at = '2026-01-02T00:00:00Z'`)
  t.deepEqual(await storage.planned(courses({ ...TITLE, note: { type: 'text' } })), [
    'add field courses.note: restored with its values',
  ])
})

test('converts integers to numbers and dates to times, and computes fields again', async t => {
  const storage = await openStorage(t)
  const twice = { type: 'computed', expression: 'price * 2', of: 'number' } as const
  await storage.apply(courses({ price: { type: 'integer' }, day: { type: 'date' }, twice }))
  await insert(storage, [{ price: 3, day: '2026-03-01' }])
  const after = courses({ price: { type: 'number' }, day: { type: 'datetime' }, twice })
  await storage.apply(after)
  t.deepEqual(await values(storage, 'twice'), [6])
  t.deepEqual(await values(storage, `day at time zone 'UTC' = '2026-03-01'::timestamp`), [true])
  t.deepEqual(await storage.planned(after), [])
})

test('changes search, unique keys, the trash, versions and what deletions do', async t => {
  const storage = await openStorage(t)
  const fields = { ...TITLE, note: { type: 'text' }, parent: { type: 'reference', to: 'courses' } } as const
  await storage.apply(courses(fields))
  await insert(storage, [{ title: 'a', note: 'b' }])
  const after = courses(
    { ...fields, parent: { type: 'reference', to: 'courses', onDelete: 'cascade' } },
    { search: ['note'], unique: [['title', 'note']], trash: '1d', history: 3 },
  )
  t.deepEqual(await storage.planned(after), [
    'change field courses.parent: onDelete restrict → cascade',
    'change collection courses: unique title + note',
    'change collection courses: search none → note',
    'change collection courses: keeps former versions',
  ])
  await storage.apply(after)
  t.deepEqual(await values(storage, 'search::text'), ["'b':1A"])
  const indexes = await storage.owner.query<{ definition: string }>(
    `select indexdef as definition from pg_indexes where tablename = 'data_courses' and indexname like '%\\_idx' order by 1`,
  )
  t.is(indexes.length, 5)
  await storage.apply(courses(fields), true)
  t.deepEqual(await storage.planned(courses(fields)), [])
})

test('deletes the rows in the trash of a collection that no longer has one', async t => {
  const storage = await openStorage(t)
  const declared = (more: { trash?: string }) => ({
    ...courses({ ...TITLE, related: { type: 'reference', to: 'courses', many: true } }, more),
  })
  await storage.apply(declared({ trash: '1d' }))
  await insert(storage, [{ title: 'a' }, { title: 'b', deleted_at: new Date() }])
  await storage.owner.query(
    `insert into data_courses__related (tenant_id, row_id, target_id) values ('ten_1', 'course_1', 'course_2')`,
  )
  t.deepEqual(await storage.planned(declared({})), [
    'change collection courses: no trash | the rows in its trash are deleted',
  ])
  await t.throwsAsync(storage.apply(declared({})), { code: 'collections_lose_data' })
  await storage.apply(declared({}), true)
  t.deepEqual(await values(storage, 'title'), ['a'])
})

test('moves the rows of a collection aside when its scope changes', async t => {
  const storage = await openStorage(t)
  await storage.apply(courses(TITLE))
  await insert(storage, [{ title: 'a' }])
  const shared = courses(TITLE, { scope: 'shared' })
  await t.throwsAsync(storage.apply(shared), { code: 'collections_lose_data' })
  await storage.apply(shared, true)
  t.deepEqual(await values(storage, 'title'), [])
})

test('rebuilds an index whose creation was interrupted', async t => {
  const storage = await openStorage(t)
  await storage.apply(courses(TITLE))
  await insert(storage, [{ title: 'a' }, { title: 'a' }])
  await storage.owner
    .query(`create unique index concurrently data_courses_broken_idx on data_courses (tenant_id, title)`)
    .catch(() => undefined)
  const isValid = `select indisvalid as valid from pg_index where indexrelid::regclass::text like '%broken%'`
  t.deepEqual(await storage.owner.query(isValid), [{ valid: false }])
  await storage.apply(courses({ title: { type: 'text', index: true } }))
  t.deepEqual(await storage.owner.query(isValid), [])
})

test('two processes that apply a recipe at once do so one after the other', async t => {
  const storage = await openStorage(t)
  await storage.apply(courses(TITLE))
  await insert(storage, [{ title: 'a' }])
  const after = courses({ ...TITLE, level: { type: 'text', index: true }, price: { type: 'integer', unique: true } })
  await Promise.all([1, 2, 3].map(() => storage.apply(after)))
  t.deepEqual(await storage.planned(after), [])
})

test('rejects a pattern that existing rows do not match, and names them', async t => {
  const storage = await openStorage(t)
  await storage.apply(courses({ code: { type: 'text' } }))
  await insert(storage, [{ code: 'AB-1' }, { code: 'ab-1' }, { code: null }, { code: 'ABC' }])
  const after = courses({ code: { type: 'text', pattern: '^[A-Z]+-\\d+$' } })
  t.deepEqual(await storage.planned(after), [
    'change field courses.code: pattern none → ^[A-Z]+-\\d+$ | not matching ^[A-Z]+-\\d+$: 2 rows (course_2, course_4)',
  ])
  await t.throwsAsync(storage.apply(after), { code: 'collections_blocked' })
  await storage.owner.query(`update data_courses set code = 'AB-2' where code in ('ab-1', 'ABC')`)
  await storage.apply(after)
  t.deepEqual(await storage.planned(after), [])
})

test('names a required reference that is restored after rows that it leads to are gone', async t => {
  const storage = await openStorage(t)
  const tags = { tags: { fields: { name: { type: 'text' } } } } as const
  const required = courses({ ...TITLE, tag: { type: 'reference', to: 'tags', required: true } })
  await storage.apply({ ...tags, ...required })
  await storage.owner.query(`insert into data_tags (tenant_id, id) values ('ten_1', 'tag_1'), ('ten_1', 'tag_2')`)
  await insert(storage, [
    { title: 'a', tag: 'tag_1' },
    { title: 'b', tag: 'tag_2' },
  ])
  await storage.apply({ ...tags, ...courses(TITLE) }, true)
  await storage.owner.query(`delete from data_tags where id = 'tag_2'`)
  const error = await t.throwsAsync(storage.apply({ ...tags, ...required }), { code: 'collections_blocked' })
  t.regex(error?.message ?? '', /field courses\.tag: required, but some rows refer to rows that were deleted/)
  await storage.apply({ ...tags, ...courses({ ...TITLE, tag: { type: 'reference', to: 'tags' } }) })
  t.deepEqual(await values(storage, 'tag'), ['tag_1', null])
})
