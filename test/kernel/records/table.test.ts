import {
  Bytes,
  encodeCursor,
  expression,
  isUniqueViolation,
  Nullable,
  Problem,
  type Step,
  Time,
  Timestamp,
  Type,
  table,
  type Unit,
} from '@larder-dev/larder/kernel'
import test from 'ava'
import { toProblem } from '../../../services/http/problems.ts'
import { createFixture, type Fixture } from '../../services/postgres/fixtures.ts'

const notes = table(
  'test_notes',
  Type.Object({
    id: Type.String(),
    workspace: Type.String(),
    title: Type.String(),
    slug: Nullable(Type.String()),
    order: Type.Integer(),
    size: Nullable(Type.Integer()),
    tags: Type.Array(Type.String()),
    data: Nullable(Type.Unsafe<Readonly<Record<string, unknown>>>({ type: 'object' })),
    version: Type.Integer(),
    createdAt: Timestamp,
    changedAt: Nullable(Time),
  }),
  {
    what: 'note',
    columns: { workspace: 'tenant_id' },
    defaults: { order: 0, version: 1 },
    hidden: { secret: Nullable(Bytes) },
    revision: 'version',
  },
)
const CREATED = '2026-01-02T03:04:05.678Z'
const note = (id: string, more: object = {}) => ({
  id,
  workspace: 'ten_a',
  title: `Note ${id}`,
  tags: [],
  createdAt: CREATED,
  ...more,
})

let fixture: Fixture
let unit: Unit
test.before(async () => {
  fixture = await createFixture()
  unit = fixture.database.tenant('ten_a')
})
test.beforeEach(() => fixture.asOwner('truncate test_notes'))
test.after.always(() => fixture.end())

/** What a caller of a route would get for an error. */
const problemOf = (error: unknown): string => {
  const { problem } = toProblem(error)
  return `${problem.status} ${problem.code}`
}
async function rejection(work: Promise<unknown>): Promise<unknown> {
  const failed = Symbol('resolved')
  const error = await work.then(
    () => failed,
    (error: unknown) => error,
  )
  if (error === failed) throw new Error('expected an error')
  return error
}
/** Records the texts of statements. */
function recording(): { readonly unit: Unit; readonly texts: string[] } {
  const texts: string[] = []
  const query = (...step: Step) => {
    texts.push(step[0])
    return unit.query(...step)
  }
  return { texts, unit: { ...unit, query } as Unit }
}

test.serial('reads a record as it was inserted, with times, bigints, arrays and JSON', async t => {
  const values = note('n1', {
    slug: 'first',
    order: 3,
    size: 2 ** 40,
    tags: ['a', 'b "c"'],
    data: { list: [1, null], text: "it's" },
    changedAt: new Date('2026-02-03T04:05:06.789Z'),
  })
  const inserted = await notes.insert(unit, { ...values, secret: Buffer.from([0, 255]) })
  t.deepEqual(inserted, { ...values, version: 1 } as never)
  t.deepEqual(await notes.get(unit, { id: 'n1' }), inserted)
})

test.serial('stores null and defaults for values that an insert leaves out', async t => {
  const inserted = await notes.insert(unit, note('n1'))
  t.like(inserted, { slug: null, order: 0, size: null, data: null, version: 1, changedAt: null })
  t.deepEqual(await notes.get(unit, { id: 'n1' }), inserted)
})

test.serial('finds a record by a hidden column, and never returns that column', async t => {
  await notes.insert(unit, note('n1', { secret: Buffer.from('s1') }))
  const found = await notes.find(unit, { secret: Buffer.from('s1') })
  t.is(found?.id, 'n1')
  t.false('secret' in (found ?? {}))
  t.is(await notes.find(unit, { secret: Buffer.from('s2') }), undefined)
})

test.serial('lists some values of the newest records that match', async t => {
  for (const id of ['a', 'b', 'c']) await notes.insert(unit, note(id, { title: id === 'b' ? 'Other' : 'Same' }))
  t.deepEqual(await notes.newest(unit, { title: 'Same' }, ['id', 'order'], 5), [
    { id: 'c', order: 0 },
    { id: 'a', order: 0 },
  ])
  t.deepEqual(await notes.newest(unit, { title: 'Same' }, ['id'], 1), [{ id: 'c' }])
})

test.serial('a list of values matches each of them', async t => {
  for (const id of ['n1', 'n2', 'n3']) await notes.insert(unit, note(id))
  const found = await notes.findMany(unit, { id: ['n1', 'n3', 'n9'] })
  t.deepEqual(found.map(({ id }) => id).sort(), ['n1', 'n3'])
})

test.serial('changes the given columns and counts the change', async t => {
  await notes.insert(unit, note('n1', { slug: 'first' }))
  const changed = await notes.update(unit, { id: 'n1' }, { title: 'New', slug: null, order: undefined })
  t.like(changed, { title: 'New', slug: null, order: 0, version: 2 })
  t.deepEqual(await notes.get(unit, { id: 'n1' }), changed)
})

test.serial('rejects an update of a stale revision', async t => {
  await notes.insert(unit, note('n1'))
  t.is((await notes.update(unit, { id: 'n1' }, { title: 'First' }, 1)).version, 2)
  const error = await rejection(notes.update(unit, { id: 'n1' }, { title: 'Second' }, 1))
  t.is(problemOf(error), '412 precondition_failed')
  t.is((await notes.get(unit, { id: 'n1' })).title, 'First')
})

test.serial('deletes and returns a record', async t => {
  await notes.insert(unit, note('n1'))
  t.is((await notes.delete(unit, { id: 'n1' })).title, 'Note n1')
  t.is(await notes.find(unit, { id: 'n1' }), undefined)
})

test.serial('names the kind of record that was not found', async t => {
  for (const work of [
    notes.get(unit, { id: 'n1' }),
    notes.update(unit, { id: 'n1' }, { title: 'New' }),
    notes.update(unit, { id: 'n1' }, { title: 'New' }, 1),
    notes.delete(unit, { id: 'n1' }),
  ]) {
    const error = await rejection(work)
    t.is(problemOf(error), '404 not_found')
    t.regex(String(error), /note/)
  }
})

test.serial('a record of another tenant is neither found, changed nor deleted', async t => {
  await notes.insert(unit, note('n1'))
  const other = fixture.database.tenant('ten_b')
  t.is(await notes.find(other, { id: 'n1' }), undefined)
  t.is(problemOf(await rejection(notes.update(other, { id: 'n1' }, { title: 'Theirs' }))), '404 not_found')
  t.is(problemOf(await rejection(notes.delete(other, { id: 'n1' }))), '404 not_found')
  t.is((await notes.get(unit, { id: 'n1' })).title, 'Note n1')
})

test.serial('rejects a record for another tenant', async t => {
  const error = await rejection(notes.insert(unit, note('n1', { workspace: 'ten_b' })))
  t.is(problemOf(error), '500 internal')
})

test.serial('a unique value of another tenant is a conflict that reveals nothing of its record', async t => {
  await notes.insert(
    fixture.database.tenant('ten_b'),
    note('n1', { workspace: 'ten_b', slug: 'taken', title: 'Secret' }),
  )
  const error = await rejection(notes.insert(unit, note('n2', { slug: 'taken' })))
  t.true(isUniqueViolation(error))
  t.true(isUniqueViolation(error, 'test_notes_slug'))
  t.false(isUniqueViolation(error, 'test_notes_pkey'))
  const { problem } = toProblem(error)
  t.is(problem.status, 409)
  t.notRegex(`${problem.message}${JSON.stringify(problem.extras)}`, /taken|Secret|n1|test_notes/)
})

for (const [what, values] of [
  ['an integer that is too large for its column', { order: 2 ** 31 }],
  ['a NUL in a text', { title: 'a\0b' }],
  ['a NUL in JSON', { data: { text: 'a\0b' } }],
  ['text that is not a time', { createdAt: 'the day before' }],
  ['an invalid Date', { changedAt: new Date('yesterday') }],
] as const)
  test.serial(`rejects ${what} as invalid`, async t => {
    const inserted = await rejection(notes.insert(unit, note('n1', values)))
    t.is(problemOf(inserted), '422 validation_failed')
    await notes.insert(unit, note('n1'))
    const updated = await rejection(notes.update(unit, { id: 'n1' }, values as object))
    t.is(problemOf(updated), '422 validation_failed')
  })

test.serial('refuses unknown columns before anything is sent', async t => {
  const { unit: watched, texts } = recording()
  const unknown = { 'id = id or title': 'x' } as object
  const bad = [
    () => notes.find(watched, unknown),
    () => notes.update(watched, { id: 'n1' }, unknown),
    () => notes.delete(watched, unknown),
    () => notes.page(watched, { where: unknown }),
    () => notes.page(watched, { sortBy: 'title; drop table test_notes' as 'title' }),
  ]
  for (const work of bad) t.regex(String(await rejection((async () => work())())), /has no column/)
  t.deepEqual(texts, [])
})

test.serial('refuses a condition without a value, which would match every record', async t => {
  const { unit: watched, texts } = recording()
  for (const where of [{}, { id: undefined }, { slug: null as unknown as string }]) {
    t.false(Problem.is(await rejection((async () => notes.find(watched, where))())))
    await rejection((async () => notes.delete(watched, where))())
    await rejection((async () => notes.update(watched, where, { title: 'All' }))())
  }
  t.deepEqual(texts, [])
})

test.serial('pages through all records once, newest first or oldest first', async t => {
  for (let n = 1; n <= 7; n++) await notes.insert(unit, note(`n${n}`))
  const walk = async (ascending: boolean) => {
    const ids: string[] = []
    let cursor: string | null | undefined
    do {
      const page = await notes.page(unit, { limit: 3, cursor: cursor ?? undefined, ascending })
      ids.push(...page.data.map(({ id }) => id))
      cursor = page.nextCursor
    } while (cursor)
    return ids.join(' ')
  }
  t.is(await walk(false), 'n7 n6 n5 n4 n3 n2 n1')
  t.is(await walk(true), 'n1 n2 n3 n4 n5 n6 n7')
})

test.serial('orders records with equal values by their key, across pages', async t => {
  for (const [id, order] of [
    ['n1', 2],
    ['n2', 1],
    ['n3', 2],
    ['n4', 1],
  ] as const)
    await notes.insert(unit, note(id, { order }))
  const first = await notes.page(unit, { limit: 3, sortBy: 'order', ascending: true })
  t.deepEqual(
    first.data.map(({ id }) => id),
    ['n2', 'n4', 'n1'],
  )
  const second = await notes.page(unit, {
    limit: 3,
    sortBy: 'order',
    ascending: true,
    cursor: first.nextCursor ?? undefined,
  })
  t.deepEqual(
    second.data.map(({ id }) => id),
    ['n3'],
  )
  t.is(second.nextCursor, null)
})

test.serial('combines filters with conditions of its caller', async t => {
  for (const [id, order, title] of [
    ['n1', 1, 'red'],
    ['n2', 1, 'blue'],
    ['n3', 2, 'red'],
  ] as const)
    await notes.insert(unit, note(id, { order, title }))
  const { data } = await notes.page(unit, {
    where: { order: 1, slug: undefined },
    and: [
      ['title = $1 or title = $2', ['red', 'green']],
      ['"order" < $1', [9]],
    ],
  })
  t.deepEqual(
    data.map(({ id }) => id),
    ['n1'],
  )
})

test('rejects cursors with too many values, or with values of another type', async t => {
  for (const cursor of ['nonsense', encodeCursor(['n1', 'n2']), encodeCursor([5]), encodeCursor([null])])
    t.is(problemOf(await rejection(notes.page(unit, { cursor }))), '400 invalid_cursor')
})

test('refuses to order by columns whose values a cursor changes', async t => {
  for (const sortBy of ['createdAt', 'size', 'tags'] as const)
    t.regex(String(await rejection(notes.page(unit, { sortBy }))), /can't be ordered by/)
})

test.serial('the text of a statement does not depend on values', async t => {
  const { unit: watched, texts } = recording()
  await notes.insert(watched, note('n1'))
  await notes.insert(watched, note('n2', { slug: 's', tags: ['x'], secret: Buffer.from('x') }))
  for (const id of ['n1', 'n2']) {
    await notes.find(watched, { id })
    await notes.update(watched, { id }, { title: id })
    await notes.page(watched, { where: { title: id }, and: [['"order" < $1', [id.length]]], limit: id.length })
  }
  await notes.findMany(watched, { id: ['n1'] })
  await notes.findMany(watched, { id: ['n1', 'n2', 'n3'] })
  t.is(new Set(texts).size, 5)
})

test.serial('a step runs in a batch with others', async t => {
  await unit.all([notes.insertStep(note('n1')), notes.insertStep(note('n1'), 'on conflict (id) do nothing')])
  const [, deleted] = await unit.all([notes.updateStep({ id: 'n1' }, { title: 'New' }), notes.deleteStep({ id: 'n1' })])
  t.is(notes.records(deleted?.rows ?? [])[0]?.title, 'New')
})

test.serial('replaces a record with the same key, which keeps the values that must stay', async t => {
  await notes.insert(unit, note('n1', { size: 5, slug: 'first' }))
  const replacing = notes.replacing(['id'], ['slug', 'createdAt'])
  const later = note('n1', { title: 'New', slug: 'second', createdAt: '2027-01-01T00:00:00.000Z' })
  await unit.query(...notes.insertStep(later, replacing))
  t.like(await notes.get(unit, { id: 'n1' }), { title: 'New', size: null, slug: 'first', createdAt: CREATED })
})

test.serial('stores values that PostgreSQL computes, with the other values of the record', async t => {
  const { unit: watched, texts } = recording()
  for (const [id, days] of [
    ['n1', 2],
    ['n2', 3],
  ] as const) {
    const changedAt = expression("$1::timestamptz + $2::int * interval '1 day'", CREATED, days)
    const title = expression("upper($1) || ' ' || $2", id, 'x')
    await watched.query(...notes.insertStep({ ...note(id, { tags: ['a'] }), title, changedAt }))
  }
  t.like(await notes.get(unit, { id: 'n1' }), {
    title: 'N1 x',
    tags: ['a'],
    changedAt: new Date('2026-01-04T03:04:05.678Z'),
  })
  t.like(await notes.get(unit, { id: 'n2' }), { title: 'N2 x', changedAt: new Date('2026-01-05T03:04:05.678Z') })
  t.is(new Set(texts).size, 1)
})

test('picks the values that belong to its records', t => {
  const given = { title: 'New', slug: null, order: undefined, secret: Buffer.from('x'), constructor: 'x', other: 'x' }
  t.deepEqual(notes.pick(given), { title: 'New', slug: null })
})

test.serial('converts rows of special statements', async t => {
  await notes.insert(unit, note('n1', { size: 5 }))
  const text = `select ${notes.columns('n')} from test_notes n where n.size > $1`
  t.deepEqual(await notes.query(unit, text, [4]), [await notes.get(unit, { id: 'n1' })])
})

test.serial('locks a record until its unit ends', async t => {
  await notes.insert(unit, note('n1'))
  const order: string[] = []
  let locked: () => void = () => {}
  const isLocked = new Promise<void>(resolve => {
    locked = resolve
  })
  const first = unit.transaction(async inside => {
    await notes.get(inside, { id: 'n1' }, { lock: true })
    locked()
    await inside.query('select pg_sleep(0.1)')
    order.push('first')
  })
  await isLocked
  const second = unit.transaction(async inside => {
    await notes.get(inside, { id: 'n1' }, { lock: true })
    order.push('second')
  })
  await Promise.all([first, second])
  t.deepEqual(order, ['first', 'second'])
})
