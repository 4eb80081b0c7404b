/** Fields with defaults and sequences that are added to collections with rows. */
import test from 'ava'
import { courses, openStorage, type Storage } from './fixtures.ts'

const fill = ({ owner }: Storage, count: number, from = 1) =>
  owner.query(
    `insert into data_courses (tenant_id, id, title, created_at)
     select 'ten_' || (n % 2), 'c' || lpad((9999 - n)::text, 4, '0'), 'Course ' || n, timestamptz '2026-01-01' + n * interval '1 minute'
       from generate_series($1::int, $2::int) as n`,
    [from, from + count - 1],
  )
const title = { title: { type: 'text' } } as const

test('existing rows get the time and the day of the change, and no member', async t => {
  const storage = await openStorage(t)
  await storage.apply(courses(title))
  await fill(storage, 3)
  const after = courses({
    ...title,
    at: { type: 'datetime', required: true, default: '$now' },
    on: { type: 'date', required: true, default: '$today' },
    owner: { type: 'member', default: '$member' },
  })
  t.deepEqual(await storage.planned(after), [
    'add field courses.at: datetime, required, default $now',
    'add field courses.on: date, required, default $today',
    'add field courses.owner: member',
  ])
  await storage.apply(after)
  t.deepEqual(await storage.planned(after), [])
  const rows = await storage.owner.query<{ times: number; days: number; owners: number }>(
    `select count(distinct at)::int as times, count(distinct "on")::int as days, count(owner)::int as owners from data_courses`,
  )
  t.deepEqual(rows, [{ times: 1, days: 1, owners: 0 }])
})

test('a required field whose default is the caller is refused while there are rows', async t => {
  const storage = await openStorage(t)
  await storage.apply(courses(title))
  await fill(storage, 1)
  const after = courses({ ...title, author: { type: 'text', required: true, default: '$user' } })
  t.deepEqual(await storage.planned(after), [
    'add field courses.author: text, required | required, and $user gives existing rows no value. Add using, or require it later: 1 row (c9998)',
  ])
  await t.throwsAsync(storage.apply(after), { code: 'collections_blocked' })
  await storage.apply(
    courses({ ...title, author: { type: 'text', required: true, default: '$user', using: "'none'" } }),
  )
  t.deepEqual(await storage.owner.query('select author from data_courses'), [{ author: 'none' }])
})

test('an expression gives existing rows their value, and rows of an earlier recipe, too', async t => {
  const storage = await openStorage(t)
  await storage.apply(courses(title))
  await fill(storage, 2500)
  const after = courses({
    ...title,
    number: { type: 'integer', required: true, default: { expression: "number(split(title, ' ', 2))" } },
    due: { type: 'date', default: { expression: 'today() + 14' } },
  })
  t.deepEqual(await storage.planned(after), [
    "add field courses.number: integer, required, default number(split(title, ' ', 2)), filled in batches",
    'add field courses.due: date, default today() + 14, filled in batches',
  ])
  await storage.apply(after)
  t.deepEqual(await storage.planned(after), [])
  await fill(storage, 1, 2501)
  const [sums] = await storage.owner.query('select sum(number)::int as sum, count(due)::int as due from data_courses')
  t.deepEqual(sums, { sum: (2501 * 2502) / 2, due: 2500 })
})

test('a sequence numbers existing rows of each workspace by their creation, in batches, and those of an earlier recipe', async t => {
  const storage = await openStorage(t)
  await storage.apply(courses(title))
  await fill(storage, 2501)
  const after = courses({ number: { type: 'text', sequence: 'C-{000}' }, ...title })
  t.deepEqual(await storage.planned(after), [
    'add field courses.number: sequence C-{000}; numbers existing rows by createdAt in batches of 1000, and locks the table against writes while it numbers the last of them',
  ])
  await storage.apply(after)
  t.deepEqual(await storage.planned(after), [])
  await fill(storage, 2, 2502)
  const wrong = await storage.owner.query(
    `select title from (select title, number, row_number() over (partition by tenant_id order by created_at) as n from data_courses) r
      where number <> 'C-' || lpad(n::text, greatest(3, length(n::text)), '0')`,
  )
  t.deepEqual(wrong, [])
  const counters = await storage.owner.query(
    'select tenant_id, last_number::int as last from collections_sequences order by tenant_id',
  )
  t.deepEqual(counters, [
    { tenant_id: 'ten_0', last: 1251 },
    { tenant_id: 'ten_1', last: 1252 },
  ])
})

test('numbering continues after an interruption', async t => {
  const storage = await openStorage(t)
  await storage.apply(courses(title))
  await fill(storage, 2100)
  const after = courses({ number: { type: 'text', sequence: 'C-{000}' }, ...title })
  for (let statement = 6; await storage.interrupt(after, statement); statement += 3);
  await storage.apply(after)
  const [found] = await storage.owner.query(
    `select count(distinct (tenant_id, number))::int as numbers, max(number) as last from data_courses where tenant_id = 'ten_0'`,
  )
  t.deepEqual(found, { numbers: 1050, last: 'C-999' })
  t.deepEqual(await storage.owner.query(`select max(last_number)::int as last from collections_sequences`), [
    { last: 1050 },
  ])
})

test('a text becomes a sequence: its numbers stay, and others continue after the highest', async t => {
  const storage = await openStorage(t)
  await storage.apply(courses({ ...title, number: { type: 'text' } }))
  await fill(storage, 6)
  await storage.owner.query(`update data_courses set number = 'C-041' where title = 'Course 2'`)
  await storage.owner.query(`update data_courses set number = 'old' where title = 'Course 4'`)
  await storage.apply(courses({ ...title, number: { type: 'text', sequence: 'C-{000}' } }))
  const rows = await storage.owner.query<{ number: string }>(
    `select number from data_courses where tenant_id = 'ten_0' order by title`,
  )
  t.deepEqual(
    rows.map(({ number }) => number),
    ['C-041', 'old', 'C-042'],
  )
})

test('another form and another name of the collection go on counting', async t => {
  const storage = await openStorage(t)
  const fields = (sequence: string) => ({ ...title, number: { type: 'text', sequence } }) as const
  await storage.apply(courses(fields('C-{000}')))
  await fill(storage, 2)
  const later = courses(fields('K{0}'))
  t.deepEqual(await storage.planned(later), ['change field courses.number: sequence C-{000} → K{0}'])
  await storage.apply(later)
  await fill(storage, 2, 3)
  await storage.apply({ lessons: { ...later.courses, was: 'courses' } } as never, true)
  await storage.owner.query(`insert into data_lessons (tenant_id, id, title) values ('ten_0', 'c', 'Course 6')`)
  const rows = await storage.owner.query<{ number: string }>(
    `select number from data_lessons where tenant_id = 'ten_0' order by title`,
  )
  t.deepEqual(
    rows.map(({ number }) => number),
    ['C-001', 'K2', 'K3'],
  )
})

test('a renamed number is served under both names, and counts once', async t => {
  const storage = await openStorage(t)
  await storage.apply(courses({ ...title, number: { type: 'text', sequence: 'C-{000}' } }))
  await fill(storage, 2)
  await storage.apply(courses({ ...title, code: { type: 'text', sequence: 'C-{000}', was: 'number' } }))
  await storage.owner.query(`insert into data_courses (tenant_id, id, title) values ('ten_0', 'a', 'Course 4')`)
  await storage.owner.query(
    `insert into data_courses (tenant_id, id, title, code) values ('ten_0', 'b', 'Course 6', 'C-009')`,
  )
  await storage.owner.query(`insert into data_courses (tenant_id, id, title) values ('ten_0', 'c', 'Course 8')`)
  const rows = await storage.owner.query<{ number: string; code: string }>(
    `select number, code from data_courses where tenant_id = 'ten_0' order by title`,
  )
  t.deepEqual(
    rows.map(({ number, code }) => [number, code]),
    ['C-001', 'C-002', 'C-009', 'C-010'].map(each => [each, each]),
  )
})

test('a removed number that comes back keeps its values, and rows that were written meanwhile get the next ones', async t => {
  const storage = await openStorage(t)
  const numbered = courses({ ...title, number: { type: 'text', sequence: 'C-{000}' } })
  await storage.apply(numbered)
  await fill(storage, 2)
  await storage.apply(courses(title), true)
  await fill(storage, 2, 3)
  await storage.apply(numbered)
  await fill(storage, 2, 5)
  const rows = await storage.owner.query<{ number: string }>(
    `select number from data_courses where tenant_id = 'ten_0' order by title`,
  )
  t.deepEqual(
    rows.map(({ number }) => number),
    ['C-001', 'C-002', 'C-003'],
  )
})
