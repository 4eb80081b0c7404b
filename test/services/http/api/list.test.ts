import { createHash } from 'node:crypto'
import test from 'ava'
import fc from 'fast-check'
import { createCursorMark, decodeCursor, encodeCursor, pageLimit, toPage } from '../../../../kernel/base/pagination.ts'
import { Problem } from '../../../../kernel/base/problem.ts'

const value = fc.oneof(
  fc.constant(null),
  fc.double({ noNaN: true, noDefaultInfinity: true }).map(number => number + 0),
  fc.string({ unit: 'grapheme' }).filter(text => !text.includes('\0')),
)

test('cursors round-trip their values', t => {
  fc.assert(
    fc.property(fc.array(value, { minLength: 1, maxLength: 3 }), values => {
      const cursor = encodeCursor(values)
      fc.pre(cursor.length <= 512)
      t.deepEqual(decodeCursor(cursor, values.length), JSON.parse(JSON.stringify(values)))
    }),
  )
})

test('rejects forged cursors', t => {
  const forged = ['', '!', 'e30', encodeCursor([1, 2]), 'a'.repeat(600), encodeCursor(['\0']), 'W3siYSI6MX1d']
  for (const cursor of forged) {
    const problem = t.throws(() => decodeCursor(cursor, 1), undefined, cursor)
    t.true(Problem.is(problem) && problem.code === 'invalid_cursor' && problem.status === 400)
  }
  t.is(decodeCursor(undefined, 1), undefined)
})

test('returns a cursor only if there are more rows', t => {
  const rows = [{ id: 'a' }, { id: 'b' }, { id: 'c' }]
  const first = toPage(rows, 2, row => [row.id])
  t.deepEqual(first.data, [{ id: 'a' }, { id: 'b' }])
  t.deepEqual(decodeCursor(first.nextCursor ?? undefined, 1), ['b'])
  t.is(toPage(rows.slice(0, 2), 2, row => [row.id]).nextCursor, null)
  t.is(toPage([], 2, () => []).nextCursor, null)
})

test('pages have 50 records by default and at most 200', t => {
  t.deepEqual(
    [pageLimit({}), pageLimit({ limit: 7 }), pageLimit({ limit: 9999 }), pageLimit({ limit: -1 })],
    [50, 7, 200, 1],
  )
})

test('lists accept only their own cursors', t => {
  const [cars, boats] = [createCursorMark('get /cars'), createCursorMark('get /boats')]
  for (const name of ['nextCursor', 'next_cursor'] as const) {
    const shown = cars.put<Record<string, unknown>>({ data: [1], [name]: 'abc' })
    t.not(shown[name], 'abc')
    t.deepEqual(cars.take({ limit: 1, cursor: shown[name] }), { limit: 1, cursor: 'abc' })
    t.throws(() => boats.take({ cursor: shown[name] }), { message: /belongs to another list/ })
  }
  t.deepEqual(cars.put({ data: [], nextCursor: null }), { data: [], nextCursor: null })
  t.deepEqual(cars.take({ limit: 1 }), { limit: 1 })
})

test('a cursor works with the filters and the order of its list only', t => {
  const mark = createCursorMark('get /cars')
  const query = { 'filter[color]': 'red', sort: '-createdAt', q: 'old' }
  const { nextCursor } = mark.put({ nextCursor: 'abc' }, { ...query, limit: 2 })
  const same = { q: 'old', sort: '-createdAt', 'filter[color]': 'red', limit: 50, fields: 'id', cursor: nextCursor }
  t.is(mark.take(same).cursor, 'abc')
  for (const other of [{ 'filter[color]': 'blue' }, { 'filter[wheels]': '4' }, { sort: 'createdAt' }, { q: undefined }])
    t.throws(() => mark.take({ ...same, ...other }), { message: /belongs to another list/ })
  t.throws(() => mark.take({ cursor: nextCursor }), { message: /belongs to another list/ })
})

test('a cursor of an earlier format, without a mark or with one of the list alone, is refused', t => {
  const list = 'get /cars'
  const mark = createCursorMark(list)
  const query = { sort: 'name' }
  const values = encodeCursor(['a', 'car_1'])
  const ofListAlone = createHash('sha256').update(list).digest('base64url').slice(0, 4)
  t.is(mark.take({ ...query, cursor: mark.put({ nextCursor: values }, query).nextCursor }).cursor, values)
  for (const cursor of [values, `${ofListAlone}${values}`]) {
    const problem = t.throws(() => mark.take({ ...query, cursor }), { message: /earlier version.* Start again/ })
    t.like(problem, { code: 'invalid_cursor', status: 400 })
  }
})
