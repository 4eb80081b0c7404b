/** How tables change with periods that must not overlap, keys under a condition, indexes of several fields, and guests. */
import test from 'ava'
import { withPersonalCounts } from '../../../../../modules/collections/recipe/module-collections.ts'
import { type Declared, openStorage, type Storage } from './fixtures.ts'

const FIELDS = {
  technician: { type: 'text' },
  startsAt: { type: 'datetime' },
  endsAt: { type: 'datetime' },
} as const
const visits = (more: object = {}, fields: object = {}): Declared => ({
  visits: { fields: { ...FIELDS, ...fields }, trash: '30d', ...more },
})
const NO_OVERLAP = { noOverlap: { by: ['technician'], from: 'startsAt', to: 'endsAt' } }

interface Row {
  readonly technician?: string | null
  readonly from?: number | null
  readonly to?: number | null
  readonly tenant?: string
  readonly deleted?: boolean
}
/** Hours of a day. */
const at = (hour: number | null | undefined) => (hour == null ? null : new Date(Date.UTC(2026, 0, 5, hour)))
async function insert({ owner }: Storage, rows: readonly Row[]): Promise<void> {
  for (const [index, { technician = 'ada', from, to, tenant = 'ten_1', deleted = false }] of rows.entries())
    await owner.query(
      `insert into data_visits (tenant_id, id, technician, starts_at, ends_at, deleted_at)
       values ($1, $2, $3, $4, $5, case when $6 then now() end)`,
      [tenant, `visit_${index + 1}`, technician, at(from), at(to), deleted],
    )
}
const constraintsOf = async ({ owner }: Storage) =>
  owner.query<{ name: string }>(
    `select conname as name from pg_constraint where contype = 'x' and conrelid = 'data_visits'::regclass`,
  )

test('lists the rows that overlap, and those that end before they begin, and refuses the rule while there are any', async t => {
  const storage = await openStorage(t)
  await storage.apply(visits())
  await insert(storage, [
    { from: 8, to: 10 },
    { from: 9, to: 11 },
    { from: 11, to: 12 },
    { from: 8, to: 20, technician: 'bob' },
    { from: 8, to: 20, technician: null },
    { from: 8, to: 20, technician: null },
    { from: 8, to: 20, tenant: 'ten_2' },
    { from: 8, to: 20, deleted: true },
    { from: 15, to: 14 },
    { from: 15, to: null },
    { from: 10, to: 11, technician: 'bob' },
  ])
  t.deepEqual(await storage.planned(visits(NO_OVERLAP)), [
    "change collection visits: startsAt to endsAt of one technician can't overlap; locks the table while its rows are indexed | that end before they begin: 1 row (visit_9) | overlapping an earlier period: 2 rows (visit_11, visit_2)",
  ])
  await t.throwsAsync(storage.apply(visits(NO_OVERLAP)), { code: 'collections_blocked' })
  await storage.owner.query(`delete from data_visits where id in ('visit_2', 'visit_9', 'visit_11')`)
  await storage.apply(visits(NO_OVERLAP))
  t.deepEqual(await storage.planned(visits(NO_OVERLAP)), [])
  await t.throwsAsync(storage.owner.query(`update data_visits set technician = 'bob' where id = 'visit_1'`), {
    message: /exclusion constraint/,
  })
})

test('the owner of a database creates the extension without being a superuser', async t => {
  const { owner } = await openStorage(t)
  const [place] = await owner.query<{ db: string; schema: string }>(
    'select quote_ident(current_database()) as db, quote_ident(current_schema()) as schema',
  )
  await owner.query('begin')
  await owner.query(`create role plain_${process.pid} nosuperuser`)
  await owner.query(`grant create on database ${place?.db} to plain_${process.pid}`)
  await owner.query(`grant usage, create on schema ${place?.schema} to plain_${process.pid}`)
  await owner.query(`set local role plain_${process.pid}`)
  await owner.query('create extension if not exists btree_gist')
  const found = await owner.query(`select 1 from pg_extension where extname = 'btree_gist'`)
  await owner.query('rollback')
  t.is(found.length, 1)
})

test('changes the rule with the type of its fields, and ends it', async t => {
  const storage = await openStorage(t)
  const days = { startsAt: { type: 'date' }, endsAt: { type: 'date' } }
  await storage.apply(visits(NO_OVERLAP, days))
  const [before] = await constraintsOf(storage)
  t.deepEqual(await storage.planned(visits(NO_OVERLAP)), [
    'change collection visits: startsAt to endsAt of one technician can overlap',
    'change field visits.startsAt: type date → datetime',
    'change field visits.endsAt: type date → datetime',
    "change collection visits: startsAt to endsAt of one technician can't overlap; locks the table while its rows are indexed",
  ])
  await storage.apply(visits(NO_OVERLAP))
  const [after, ...more] = await constraintsOf(storage)
  t.not(after?.name, before?.name)
  t.deepEqual(more, [])
  const all = { noOverlap: { from: 'startsAt', to: 'endsAt' } }
  await storage.apply(visits(all))
  await insert(storage, [{ from: 8, to: 10 }])
  await t.throwsAsync(insert(storage, [{ from: 9, to: 10, technician: 'bob' }]), { message: /exclusion|duplicate/ })
  t.deepEqual(await storage.planned(visits()), ['change collection visits: startsAt to endsAt can overlap'])
  await storage.apply(visits())
  t.deepEqual(await constraintsOf(storage), [])
})

test('keeps the rule with a renamed field and a renamed collection', async t => {
  const storage = await openStorage(t)
  await storage.apply(visits(NO_OVERLAP))
  const { technician, ...times } = FIELDS
  const renamed = {
    visits: {
      fields: { person: { ...technician, was: 'technician' }, ...times },
      trash: '30d',
      noOverlap: { by: ['person'], from: 'startsAt', to: 'endsAt' },
    },
  }
  await storage.apply(renamed)
  t.is((await constraintsOf(storage)).length, 1)
  await insert(storage, [{ from: 8, to: 10 }])
  await t.throwsAsync(
    storage.owner.query(
      `insert into data_visits (tenant_id, id, person, starts_at, ends_at) values ('ten_1', 'visit_2', 'ada', $1, $2)`,
      [at(9), at(12)],
    ),
    { message: /exclusion constraint/ },
  )
  const { person } = renamed.visits.fields
  await storage.apply({ visits: { ...renamed.visits, fields: { person: { type: person.type }, ...times } } })
  t.is((await constraintsOf(storage)).length, 1)
  await storage.apply({
    calls: { ...renamed.visits, fields: { person: { type: person.type }, ...times }, was: 'visits' },
  })
  const found = await storage.owner.query(
    `select 1 from pg_constraint where contype = 'x' and conrelid = 'data_calls'::regclass`,
  )
  t.is(found.length, 1)
})

test('a removed field or collection ends the rule', async t => {
  const storage = await openStorage(t)
  await storage.apply(visits(NO_OVERLAP))
  const { technician: _, ...times } = FIELDS
  await storage.apply({ visits: { fields: times, trash: '30d' } }, true)
  t.deepEqual(await constraintsOf(storage), [])
  await storage.apply(visits(NO_OVERLAP))
  await storage.apply({}, true)
  await storage.apply(visits(NO_OVERLAP))
  t.is((await constraintsOf(storage)).length, 1)
})

test('an interrupted rule is completed by the next start', async t => {
  for (let statement = 1; ; statement++) {
    const storage = await openStorage(t)
    await storage.apply(visits())
    await insert(storage, [{ from: 8, to: 10 }])
    if (!(await storage.interrupt(visits(NO_OVERLAP), statement))) break
    await storage.apply(visits(NO_OVERLAP))
    t.is((await constraintsOf(storage)).length, 1, `statement ${statement}`)
    if (statement > 40) statement += 4
  }
})

const KEY = {
  unique: [{ fields: ['technician'], where: { startsAt: { exists: false }, technician: { ne: 'nobody' } } }],
}

test('lists the values that occur twice among the rows of a condition, and refuses the key while there are any', async t => {
  const storage = await openStorage(t)
  await storage.apply(visits())
  await insert(storage, [
    {},
    {},
    { from: 8, to: 9 },
    { technician: 'bob', from: 8, to: 9 },
    { technician: 'bob', from: 8, to: 9 },
    { technician: 'nobody' },
    { technician: 'nobody' },
    { technician: 'cy', deleted: true },
    { technician: 'cy' },
  ])
  t.deepEqual(await storage.planned(visits(KEY)), [
    'change collection visits: unique technician where {"startsAt":{"exists":false},"technician":{"ne":"nobody"}} | more than once in a workspace: 1 value (ada)',
  ])
  await t.throwsAsync(storage.apply(visits(KEY)), { code: 'collections_blocked' })
  await storage.owner.query(`delete from data_visits where id = 'visit_2'`)
  await storage.apply(visits(KEY))
  t.deepEqual(await storage.planned(visits(KEY)), [])
  await t.throwsAsync(storage.owner.query(`update data_visits set starts_at = null where id = 'visit_3'`), {
    message: /duplicate key/,
  })
  await storage.apply(visits())
  await storage.owner.query(`update data_visits set starts_at = null where id = 'visit_3'`)
  t.pass()
})

const COURSES = { title: { type: 'text' }, seats: { type: 'integer' } } as const
const ENROLLMENTS = {
  course: { type: 'reference', to: 'courses' },
  status: { type: 'text' },
  at: { type: 'text' },
} as const
const school = (more: object = {}, courses: object = COURSES): Declared => ({
  courses: { fields: courses as typeof COURSES },
  enrollments: { fields: ENROLLMENTS, trash: '30d', ...more },
})
const capacity = (max: number | string, more: object = {}) => ({ capacity: { of: 'course', max, ...more } })
const indexed = async ({ owner }: Storage) => {
  const found = await owner.query<{ text: string }>(
    `select indexdef as text from pg_indexes where tablename = 'data_enrollments' and indexdef like '%, course)%'`,
  )
  return found.map(({ text }) => text.replace(/^.*USING /, ''))
}
async function enroll({ owner }: Storage, rows: readonly [course: string, status: string, deleted?: true][]) {
  for (const [index, [course, status, deleted]] of rows.entries())
    await owner.query(
      `insert into data_enrollments (tenant_id, id, course, status, deleted_at)
       values ('ten_1', $1, $2, $3, case when $4 then now() end)`,
      [`enrollment_${index}`, course, status, deleted ?? false],
    )
}

test('plans a capacity with the rows that have more, and creates the index that counts', async t => {
  const storage = await openStorage(t)
  await storage.apply(school())
  await storage.owner.query(`insert into data_courses (tenant_id, id, seats)
    values ('ten_1', 'course_1', 1), ('ten_1', 'course_2', 2), ('ten_1', 'course_3', null)`)
  await enroll(storage, [
    ['course_1', 'a'],
    ['course_1', 'b'],
    ['course_2', 'a'],
    ['course_2', 'a'],
    ['course_2', 'a', true],
    ['course_3', 'a'],
    ['course_3', 'a'],
  ])
  const notes = async (declared: Declared) => {
    const [change] = await storage.plan(declared)
    return [change?.detail, ...(change?.findings.notes ?? [])]
  }
  t.deepEqual(await notes(school(capacity('course.seats'))), [
    'at most course.seats rows with one course',
    '1 row of that field with more, which take no new ones: course_1',
  ])
  t.deepEqual(await notes(school(capacity(1))), [
    'at most 1 row with one course',
    '3 rows of that field with more, which take no new ones: course_1, course_2, course_3',
  ])
  const active = school(capacity('course.seats', { where: { status: { ne: 'b' }, at: { exists: false } } }))
  t.deepEqual(await notes(active), [
    'at most course.seats rows with one course where {"at":{"exists":false},"status":{"ne":"b"}}',
  ])
  await storage.apply(active)
  t.deepEqual(await storage.planned(active), [])
  const [definition, ...more] = await indexed(storage)
  t.regex(definition ?? '', /\(tenant_id, course\) WHERE \(\(deleted_at IS NULL\) AND .*status/)
  t.deepEqual(more, [])
  t.deepEqual(await storage.planned(school()), ['change collection enrollments: any number of rows with one course'])
  await storage.apply(school())
  t.deepEqual(await indexed(storage), [])
})

test('a capacity follows renamed fields and collections, and ends with its reference', async t => {
  const storage = await openStorage(t)
  await storage.apply(school(capacity('course.seats')))
  const places = { title: COURSES.title, places: { ...COURSES.seats, was: 'seats' } }
  const { course, ...rest } = ENROLLMENTS
  const renamed: Declared = {
    lessons: { fields: places, was: 'courses' },
    enrollments: {
      fields: { lesson: { type: course.type, to: 'lessons', was: 'course' }, ...rest },
      trash: '30d',
      capacity: { of: 'lesson', max: 'lesson.places' },
    },
  }
  t.true(
    (await storage.planned(renamed)).includes(
      'change collection enrollments: at most lesson.places rows with one lesson',
    ),
  )
  await storage.apply(renamed)
  t.deepEqual(await storage.planned(renamed), [])
  const removed = { ...renamed, enrollments: { fields: rest, trash: '30d' } } as const
  await storage.apply(removed, true)
  t.deepEqual(await storage.planned(removed), [])
})

test('the order of the conditions of a key is that of the database', async t => {
  const storage = await openStorage(t)
  const where = { technician: { notIn: ['b', 'a'], exists: true }, endsAt: { exists: false } }
  const keyed = visits({ unique: [{ fields: ['technician'], where }] })
  await storage.apply(keyed)
  t.deepEqual(await storage.planned(keyed), [])
})

test('creates and drops indexes of several fields', async t => {
  const storage = await openStorage(t)
  await storage.apply(visits())
  const after = visits({ index: [['technician', 'startsAt']] })
  t.deepEqual(await storage.planned(after), ['change collection visits: index technician + startsAt'])
  await storage.apply(after)
  t.deepEqual(await storage.planned(after), [])
  const names = () =>
    storage.owner.query<{ text: string }>(
      `select indexdef as text from pg_indexes where tablename = 'data_visits' and indexdef like '%technician%'`,
    )
  t.regex((await names())[0]?.text ?? '', /\(tenant_id, technician COLLATE larder_names, starts_at, id\)/)
  await storage.apply(visits())
  t.deepEqual(await names(), [])
})

test('marks rows of people who are not signed in, also in a table that exists', async t => {
  const storage = await openStorage(t)
  await storage.apply(visits())
  await insert(storage, [{ from: 8, to: 10 }])
  const open = visits({ access: { create: { anyone: true } } })
  t.deepEqual(await storage.planned(open), ['change collection visits: people who are not signed in can create rows'])
  await storage.apply(open)
  t.deepEqual(await storage.owner.query('select _guest from data_visits'), [{ _guest: false }])
  t.deepEqual(await storage.planned(open), [])
  t.deepEqual(await storage.planned(visits()), [
    'change collection visits: people who are not signed in no longer create rows',
  ])
  await storage.apply(visits())
  await storage.apply(open)
  t.deepEqual(await storage.planned(open), [])
})

test('the rows that a gauge counts by person have an index in products of people, as the plan says', async t => {
  const entitlements = { visits: { kind: 'gauge' }, calls: { kind: 'meter' } }
  const product = { audience: 'teams' as 'teams' | 'people' }
  const storage = await openStorage(t, collections =>
    withPersonalCounts(collections, { product: product as never, section: () => entitlements }),
  )
  const own = async () =>
    (
      await storage.owner.query<{ definition: string }>(
        `select indexdef as definition from pg_indexes where tablename = 'data_visits' and indexdef like '%created_by%'`,
      )
    ).map(({ definition }) => definition.replace(/.* USING /, ''))
  await storage.apply(visits({ limit: 'visits' }))
  t.deepEqual(await own(), [])
  product.audience = 'people'
  t.deepEqual(await storage.planned(visits({ limit: 'visits' })), [
    'change collection visits: index createdBy, by which rows are counted',
  ])
  await storage.apply(visits({ limit: 'visits' }))
  t.deepEqual(await own(), ['btree (tenant_id, created_by, id) WHERE (deleted_at IS NULL)'])
  t.deepEqual(await storage.planned(visits({ limit: 'visits' })), [])
  t.deepEqual(await storage.planned(visits({ limit: 'calls' })), [
    'change collection visits: no index createdBy, by which rows are counted',
  ])
  await storage.apply(visits({ limit: 'calls' }))
  t.deepEqual(await own(), [])
})
