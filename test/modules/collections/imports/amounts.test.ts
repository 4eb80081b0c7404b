import test from 'ava'
import fc from 'fast-check'
import { decimalAmount, readAmount } from '../../../../kernel/base/money.ts'
import type { Person } from '../../../../testing/index.ts'
import type { Listed } from '../../../fixtures/people.ts'
import { withPeople } from '../../../fixtures/with-people.ts'
import { ended, errorsOf, send } from './fixtures.ts'

const recipe = {
  modules: { identity: {}, collections: {} },
  collections: {
    tags: { fields: { name: { type: 'text', unique: true } } },
    items: {
      fields: {
        title: { type: 'text', unique: true, required: true },
        price: { type: 'money', currency: 'EUR' },
        yen: { type: 'money', currency: 'JPY' },
        dinar: { type: 'money', currency: 'KWD' },
        body: { type: 'longtext' },
        note: { type: 'markdown' },
        slug: { type: 'slug' },
        mail: { type: 'email' },
        link: { type: 'url' },
        count: { type: 'integer' },
        rating: { type: 'number' },
        open: { type: 'boolean' },
        day: { type: 'date' },
        at: { type: 'datetime' },
        span: { type: 'duration' },
        kind: { type: 'enum', values: ['a', 'b c'] },
        data: { type: 'json' },
        tag: { type: 'reference', to: 'tags' },
        tags: { type: 'reference', to: 'tags', many: true },
      },
    },
  },
}

const { kernel, people } = withPeople(test, { recipe })

interface Refused {
  readonly code: string
  readonly errors: readonly { readonly pointer: string; readonly code: string; readonly detail: string }[]
}
const post = (person: Person, file: string, query = '') =>
  send<Refused & { id: string }>({ url: kernel.url, ...person }, `items/imports${query}`, file)

/** The prices of the rows of a file, or the first error. */
async function prices(file: string, query = ''): Promise<unknown> {
  const person = await people.person()
  const { status, body } = await post(person, file, query)
  if (status !== 202) return body.errors?.[0]?.code ?? body.code
  const { state } = await ended(person, 'items', body.id)
  if (state !== 'succeeded') return (await errorsOf(person, 'items', body.id))[0]?.detail
  const { data } = (await person.get<Listed<{ price: number | null }>>('/v1/data/items?sort=title')).body
  return data.map(({ price }) => price)
}

test('reads decimal amounts', async t => {
  t.deepEqual(await prices('title,price\na,49.00\nb,19.5\nc,4900\nd,-3\ne,\n'), [4900, 1950, 490000, -300, null])
  t.deepEqual(await prices('title,price (EUR)\na,4900\nb,49\n'), [490000, 4900])
  t.deepEqual(await prices('title;price\na;1.234\nb;1.234,50\nc;49,5\nd;"€ 12,00"\n'), [123400, 123450, 4950, 1200])
  t.deepEqual(await prices('title\tprice (€)\na\t1.234\n'), [123400])
})

test('refuses a column of whole numbers that does not say its unit', async t => {
  const person = await people.person()
  const { status, body } = await post(person, 'title,price\na,4900\nb,0\n')
  t.is(status, 422)
  t.deepEqual(body.errors, [
    {
      pointer: '/columns/1',
      code: 'ambiguous_amounts',
      detail:
        '"price" has whole numbers only. Name it "price (EUR)" if the first is 4900.00, or send amounts=smallest_unit if it is 49.00.',
    },
  ])
  t.deepEqual(await prices('title,price\na,4900\n', '?amounts=smallest_unit'), [4900])
  t.deepEqual(await prices('title,price\na,4900\n', '?amounts=decimal'), [490000])
  t.deepEqual(await prices('title,price (EUR)\na,4900\n', '?amounts=smallest_unit'), [490000])
  t.deepEqual(await prices('title,price\na,0\nb,\n'), [0, null])
  t.is(
    await prices('title,price\na,49.5\n', '?amounts=smallest_unit'),
    "must be an integer in the currency's smallest unit",
  )
})

test('refuses amounts that would be guessed or rounded', async t => {
  t.is(
    await prices('title,price\na,1.234\n'),
    'can be read in two ways; write the decimals, and no separators of thousands',
  )
  t.is(
    await prices('title,price\na,49.005\nb,1.00\n'),
    'can be read in two ways; write the decimals, and no separators of thousands',
  )
  t.is(await prices('title,price\na,49.0051\n'), 'must have at most 2 decimals')
  t.is(await prices('title,price\na,$49.00\n'), 'must be an amount in EUR')
  t.is(await prices('title,price\na,49 USD\n'), 'must be an amount in EUR')
  t.is(await prices('title,price (USD)\na,49.00\n'), 'other_currency')
  t.is(await prices('title,price,price (EUR)\na,49.00,49.00\n'), 'duplicate')
  t.is(await prices('title,price\na,12.34.56\n'), 'must be an amount such as 49.50')
})

test('reads amounts as people write them', t => {
  const cases: readonly [cell: string, currency: string, decimalComma: boolean, amount: unknown][] = [
    ['1,234.50', 'EUR', false, 123450],
    ['1.234,50', 'EUR', false, 123450],
    ['1,234', 'EUR', false, 123400],
    ['1,234', 'EUR', true, 'ambiguous'],
    ['1 234,50 €', 'EUR', true, 123450],
    ["1'234.50", 'CHF', false, 123450],
    ['12,34,567.5', 'INR', false, 123456750],
    ['1.234.567', 'EUR', false, 123456700],
    ['-€49.00', 'EUR', false, -4900],
    ['€-49.00', 'EUR', false, -4900],
    ['(49.00)', 'EUR', false, -4900],
    ['49.00-', 'EUR', false, -4900],
    ['\u221249', 'EUR', false, -4900],
    ['eur 49', 'EUR', false, 4900],
    ['2\u202f990 Ft', 'HUF', true, 299000],
    ['49.0000', 'EUR', false, 4900],
    ['0.123', 'EUR', false, 'too_many_decimals'],
    ['1.234', 'KWD', false, 1234],
    ['1.234', 'KWD', true, 'ambiguous'],
    ['1,234', 'KWD', true, 1234],
    ['1,234', 'JPY', false, 1234],
    ['100.00', 'JPY', false, 100],
    ['100.50', 'JPY', false, 'too_many_decimals'],
    ['£1', 'EUR', false, 'other_currency'],
    ['free', 'EUR', false, 'other_currency'],
    ['1,23,4', 'EUR', false, 'no_amount'],
    ['--1', 'EUR', false, 'no_amount'],
    ['', 'EUR', false, 'no_amount'],
  ]
  for (const [cell, currency, comma, amount] of cases) {
    const found = readAmount(cell, currency, comma)
    t.is(typeof found === 'string' ? found : found.amount, amount as never, `${cell} ${currency} ${comma}`)
  }
})

test('reads every amount of an export as the same amount', t => {
  fc.assert(
    fc.property(fc.maxSafeInteger(), fc.constantFrom('EUR', 'JPY', 'KWD', 'ISK', 'UGX'), (amount, currency) => {
      const found = readAmount(decimalAmount(amount, currency), currency, false)
      t.is(typeof found === 'string' ? found : found.amount, amount)
    }),
  )
})

test('a round trip through CSV keeps every value of every type', async t => {
  const [from, to] = [await people.person(), await people.person()]
  for (const person of [from, to]) for (const name of ['x', 'y']) await person.post('/v1/data/tags', { name })
  const tagIds = (await from.get<Listed<{ id: string; name: string }>>('/v1/data/tags')).body.data.map(({ id }) => id)
  const maybe = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: null })
  const line = fc.stringMatching(/^[!-~äß€][ -~äß€]{0,20}[!-~äß€]$/)
  const values = fc.record({
    price: maybe(fc.integer()),
    yen: maybe(fc.integer()),
    dinar: maybe(fc.integer()),
    body: maybe(line),
    note: maybe(line),
    slug: maybe(fc.stringMatching(/^[a-z]{1,5}-[a-z0-9]{1,5}$/)),
    mail: maybe(fc.stringMatching(/^[a-z]{1,5}$/).map(name => `${name}@example.test`)),
    link: maybe(fc.stringMatching(/^[a-z]{1,5}$/).map(path => `https://acme.example/${path}?a=1,2;3`)),
    count: maybe(fc.maxSafeInteger()),
    rating: maybe(fc.double({ noNaN: true, noDefaultInfinity: true }).map(value => (value === 0 ? 0 : value))),
    open: maybe(fc.boolean()),
    day: maybe(fc.constantFrom('2026-12-31', '0999-01-01')),
    at: maybe(fc.constantFrom('2026-12-31T18:30:00.123Z', '1969-01-01T00:00:00.000Z')),
    span: maybe(fc.constantFrom('90m', '1h', '5s')),
    kind: maybe(fc.constantFrom('a', 'b c')),
    data: maybe(
      fc.jsonValue({ maxDepth: 2 }).filter(value => value !== null && !JSON.stringify(value).includes('\\u')),
    ),
  })
  const rows = fc.sample(values, { numRuns: 40, seed: 43 })
  for (const [index, row] of rows.entries()) {
    const given = Object.fromEntries(Object.entries(row).filter(([, value]) => value !== null))
    const { status, body } = await from.post('/v1/data/items', { title: `t${index}`, ...given })
    t.is(status, 201, JSON.stringify([given, body]))
  }
  t.is(tagIds.length, 2)
  for (const query of ['', '?bom=true']) {
    const { body } = await from.get<string>(`/v1/data/items${query}`, { headers: { accept: 'text/csv' } })
    t.regex(body, /,price \(EUR\),yen \(JPY\),dinar \(KWD\),/)
    const sent = await post(to, body, '?by=title')
    t.is(sent.status, 202, JSON.stringify(sent.body))
    const { state } = await ended(to, 'items', sent.body.id)
    t.is(state, 'succeeded', JSON.stringify((await errorsOf(to, 'items', sent.body.id)).slice(0, 3)))
    const read = async (person: Person) => {
      const { data } = (await person.get<Listed<Record<string, unknown>>>('/v1/data/items?sort=title&limit=100')).body
      return data.map(({ id, createdAt, updatedAt, createdBy, revision, ...fields }) => fields)
    }
    t.deepEqual(await read(to), await read(from))
  }
})

test('a row may end before its empty cells, a header may end with empty ones, and a title may be above', async t => {
  t.deepEqual(await prices('title,price,body,,\na,49.00\nb\nc,,,,\n'), [4900, null, null])
  t.deepEqual(await prices('Price list 2026,,\n,,\ntitle,price,body\na,49.00,\n'), [4900])
  t.deepEqual(await prices('Preisliste\n\ntitle;price\na;49,00\n'), [4900])
  t.is(await prices('title,price\na,49.00,surplus\n'), 'has 3 cells instead of 2')
})

test('numbers that would be rounded are refused in CSV, NDJSON, bodies and filters', async t => {
  const person = await people.person()
  const digits = '0.1234567890123456789012345'
  for (const [type, file] of [
    ['text/csv', `title,rating\na,${digits}\n`],
    ['application/x-ndjson', `{"title":"a","rating":${digits}}\n`],
  ] as const) {
    const sender = { url: kernel.url, ...person }
    const { body } = await send<{ id: string }>(sender, 'items/imports', file, { 'content-type': type })
    t.is((await ended(person, 'items', body.id)).state, 'failed', type)
  }
  const posted = await fetch(`${kernel.url}/v1/data/items`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${person.token}`,
      'x-tenant-id': person.tenantId,
      'content-type': 'application/json',
    },
    body: `{"title":"a","rating":${digits}}`,
  })
  t.is(posted.status, 422)
  t.is((await person.get(`/v1/data/items?filter[rating]=${digits}`)).status, 422)
})
