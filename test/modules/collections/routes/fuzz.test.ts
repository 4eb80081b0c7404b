import test from 'ava'
import fc from 'fast-check'
import { newEmail } from '../../../fixtures/people.ts'
import { withPeople } from '../../../fixtures/with-people.ts'

const anything = () => ({ 'tenant.member': true })
const recipe = {
  modules: { identity: {}, comms: {}, collections: {} },
  collections: {
    tags: { fields: { name: { type: 'text' } }, access: { read: { 'tenant.member': { name: 'a' } } } },
    items: {
      fields: {
        title: { type: 'text', maxLength: 100 },
        slug: { type: 'slug', from: 'title', unique: true },
        order: { type: 'integer', unique: true },
        score: { type: 'number' },
        done: { type: 'boolean' },
        day: { type: 'date' },
        startsAt: { type: 'datetime' },
        length: { type: 'duration' },
        level: { type: 'enum', values: ['a', 'b'] },
        data: { type: 'json' },
        tag: { type: 'reference', to: 'tags' },
        tags: { type: 'reference', to: 'tags', many: true },
      },
      unique: [['level', 'day']],
      search: ['title'],
      access: { read: anything(), create: anything(), update: anything() },
      history: 2,
    },
  },
}

const seed = Date.now() % 2 ** 31
const RUNS = 40
const names = ['id', 'createdAt', 'revision', 'title', 'slug', 'order', 'score', 'done', 'day', 'startsAt', 'length']
const more = ['level', 'data', 'tag', 'tags', 'tag.name', 'tags.name', 'tags.tags', 'search', '$0', '__proto__', 'x"y']
const name = fc.constantFrom(...names, ...more)
const operator = fc.constantFrom(
  'eq',
  'ne',
  'in',
  'notIn',
  'gt',
  'gte',
  'lt',
  'lte',
  'contains',
  'startsWith',
  'endsWith',
  'exists',
  'x',
)
const text = fc.oneof(
  fc.constantFrom('', '1', '-1', '1e400', '9007199254740993', '0.1', 'true', '2026-01-01', '0000-01-01', '2026-02-30'),
  fc.constantFrom(
    '2026-01-01T00:00:00Z',
    '9999-12-31T23:59:60Z',
    '10000000000d',
    '999999999999d',
    '90m',
    "'--",
    '%',
    '\\',
    '\u0000',
  ),
  fc.string({ maxLength: 20 }),
  fc.string({ unit: 'binary', maxLength: 5 }),
)
const parameter = fc.oneof(
  fc.tuple(name, operator, text).map(([field, op, value]) => [`filter[${field}][${op}]`, value]),
  fc.tuple(fc.nat(12), name, operator, text).map(([at, field, op, value]) => [`or[${at}][${field}][${op}]`, value]),
  fc.tuple(name, fc.boolean()).map(([field, down]) => ['sort', `${down ? '-' : ''}${field}`]),
  fc.tuple(
    fc.constantFrom('fields', 'expand', 'group', 'sum', 'avg', 'min', 'max', 'q', 'cursor', 'limit', 'include'),
    fc.oneof(name, text),
  ),
)
const value = fc.oneof(
  text,
  fc.integer(),
  fc.double(),
  fc.boolean(),
  fc.constant(null),
  fc.array(text, { maxLength: 3 }),
  fc.jsonValue(),
)
const body = fc.dictionary(fc.constantFrom(...names, ...more), value, { maxKeys: 6 })

const { kernel } = withPeople(test, { recipe })

test(`no request fails with an internal error (seed ${seed})`, async t => {
  const ada = await kernel.register(newEmail('ada'))
  const { body: first } = await ada.post<{ id: string }>('/v1/data/items', { title: 'First' })
  const check = (status: number, request: unknown, response: unknown) =>
    t.true(status < 500, `${status} ${JSON.stringify({ request, response })}`)
  for (const parameters of fc.sample(fc.array(parameter, { minLength: 1, maxLength: 4 }), { numRuns: RUNS, seed }))
    for (const path of ['/v1/data/items', '/v1/data/items/aggregate']) {
      const query = parameters
        .map(
          ([key, given]) =>
            `${encodeURIComponent(String(key))}=${encodeURIComponent(Buffer.from(String(given)).toString())}`,
        )
        .join('&')
      const { status, body } = await ada.get(`${path}?${query}`)
      check(status, `${path}?${query}`, body)
    }
  for (const given of fc.sample(body, { numRuns: RUNS / 2, seed })) {
    const made = await ada.post('/v1/data/items', given)
    check(made.status, given, made.body)
    const changed = await ada.patch(`/v1/data/items/${first.id}`, given)
    check(changed.status, given, changed.body)
    const many = await ada.post('/v1/data/items', [given, given])
    check(many.status, given, many.body)
  }
  await ada.post('/v1/data/items', [{ title: 'Second' }, { title: 'Third' }])
  for (const sort of ['title', '-startsAt', 'day,-order', 'done', 'length', 'score', 'updatedAt', 'revision']) {
    const { body } = await ada.get<{ nextCursor: string }>(`/v1/data/items?limit=1&sort=${sort}`)
    const [mark, cursor] = [body.nextCursor.slice(0, 4), body.nextCursor.slice(4)]
    const values = JSON.parse(Buffer.from(cursor, 'base64url').toString()) as unknown[]
    for (const [at, given] of fc.sample(fc.tuple(fc.integer({ min: 1, max: values.length - 1 }), value), {
      numRuns: 12,
      seed,
    })) {
      const forged = mark + Buffer.from(JSON.stringify(values.toSpliced(at, 1, given))).toString('base64url')
      const { status, body } = await ada.get(`/v1/data/items?sort=${sort}&cursor=${forged}`)
      check(status, { sort, at, given }, body)
    }
  }
})
