/** PostgreSQL writes the JSON of rows. NDJSON, which Node writes, is the reference. */
import test from 'ava'
import fc from 'fast-check'
import { withPeople } from '../../../fixtures/with-people.ts'

const access = () => ({ read: { 'tenant.member': true }, create: { 'tenant.member': true } })
const recipe = {
  modules: { identity: {}, comms: {}, collections: {} },
  collections: {
    tags: {
      fields: { name: { type: 'text' }, length: { type: 'duration' } },
      access: access(),
      // References to a collection with a trash are looked up.
      trash: '30d',
    },
    plain: {
      fields: {
        title: { type: 'longtext' },
        price: { type: 'money', currency: 'EUR' },
        count: { type: 'integer' },
        done: { type: 'boolean' },
        day: { type: 'date' },
        startsAt: { type: 'datetime' },
        length: { type: 'duration' },
        level: { type: 'enum', values: ['a', 'b'] },
        double: { type: 'computed', expression: 'count + 1', of: 'integer' },
        tag: { type: 'reference', to: 'tags' },
        tags: { type: 'reference', to: 'tags', many: true },
      },
      search: ['title'],
      access: access(),
    },
    numbers: { fields: { number: { type: 'number' }, data: { type: 'json' } }, access: access() },
  },
}

const ROWS = 60
const seed = Date.now() % 2 ** 31
const optional = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: null })
const stored = (text: string) => !/[\0\p{Cs}]/u.test(text)
const text = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 20 }).filter(stored),
  fc.string({ unit: 'grapheme', maxLength: 20 }).filter(stored),
  fc.constantFrom('\u2028 "quoted" \\ </script> \u007f\u0001', 'a word', '\ud83d\ude00\b\f\n\r\t'),
)
const time = fc.date({ min: new Date('0001-01-01'), max: new Date('9999-12-31T23:59:59.999Z'), noInvalidDate: true })
const duration = fc
  .tuple(fc.integer({ min: 0, max: 100_000 }), fc.constantFrom('ms', 's', 'm', 'h', 'd'))
  .map(([amount, unit]) => `${amount}${unit}`)
const plainRow = (tags: readonly string[]) =>
  fc.record({
    title: optional(text),
    price: optional(fc.maxSafeInteger()),
    count: optional(fc.integer()),
    done: optional(fc.boolean()),
    day: optional(time.map(date => date.toISOString().slice(0, 10))),
    startsAt: optional(time.map(date => date.toISOString())),
    length: optional(duration),
    level: optional(fc.constantFrom('a', 'b')),
    tag: optional(fc.constantFrom(...tags)),
    tags: fc.subarray([...tags]),
  })
/** Without `__proto__`, which is refused as a name of a field. */
const json = fc.jsonValue({ maxDepth: 3 }).filter(value => {
  const written = JSON.stringify(value)
  return !written.includes('"__proto__":') && stored(written.replace(/\\u/g, '\0'))
})
const numberRow = fc.record({
  number: optional(fc.double({ noNaN: true, noDefaultInfinity: true })),
  data: optional(json),
})

const { kernel, ada } = withPeople(test, { recipe }, { ada: 'owner' })

async function read(path: string, accept = 'application/json'): Promise<string> {
  const response = await fetch(`${kernel.url}${path}`, {
    headers: { authorization: `Bearer ${ada.token}`, accept },
  })
  const body = await response.text()
  if (response.status !== 200) throw new Error(body)
  return body
}
const lines = async (path: string) => (await read(path, 'application/x-ndjson')).trimEnd().split('\n')

async function create(collection: string, rows: readonly object[]): Promise<string[]> {
  const { status, body } = await ada.post<{ data: { id: string }[] }>(`/v1/data/${collection}`, rows)
  if (status !== 201) throw new Error(JSON.stringify(body))
  return body.data.map(({ id }) => id)
}

test.serial(`lists and single rows are the same as those of NDJSON, byte by byte (seed ${seed})`, async t => {
  const tags = await create('tags', [
    { name: 'First', length: '90m' },
    { name: 'Second "quoted"', length: '1500ms' },
    { name: null },
  ])
  const ids = await create('plain', fc.sample(plainRow(tags), { numRuns: ROWS, seed }))
  for (const query of ['', 'expand=tag,tags', 'fields=title,tag', 'sort=-length,startsAt', 'q=word']) {
    const path = `/v1/data/plain?limit=${ROWS}&${query}`
    t.is(await read(path), `{"data":[${(await lines(path)).join(',')}],"nextCursor":null}`, query)
  }
  for (const [at, line] of (await lines(`/v1/data/plain?limit=${ROWS}&sort=id`)).entries())
    t.is(await read(`/v1/data/plain/${ids.toSorted()[at]}`), line)
})

test.serial(`numbers and JSON are equal values (seed ${seed})`, async t => {
  const rows = fc.sample(numberRow, { numRuns: ROWS, seed })
  const edges = [0, 1e15, -1e20, 1e21, 1e-7, 5e-324, 1.7976931348623157e308].map(number => ({ number, data: null }))
  await create('numbers', [...rows, ...edges])
  const { data } = JSON.parse(await read('/v1/data/numbers?limit=200')) as { data: object[] }
  t.deepEqual(
    data,
    (await lines('/v1/data/numbers?limit=200')).map(line => JSON.parse(line)),
  )
})

test.serial('the cursor and the total of a page come after its rows', async t => {
  const { data, nextCursor, total } = JSON.parse(await read('/v1/data/tags?limit=1&include=total')) as {
    data: object[]
    nextCursor: string
    total: number
  }
  t.is(data.length, 1)
  t.is(total, 3)
  t.is((JSON.parse(await read(`/v1/data/tags?limit=1&cursor=${nextCursor}`)) as { data: object[] }).data.length, 1)
})
