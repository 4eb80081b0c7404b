import test from 'ava'
import { toCsv } from '../../../modules/console/app/data/csv.ts'
import { formBody, formFields, formValues } from '../../../modules/console/app/data/form-model.ts'
import { mergeEdits } from '../../../modules/console/app/data/merge.ts'
import type { JsonSchema } from '../../../modules/console/app/data/schema.ts'

const schemas = { Seo: { type: 'object', properties: { title: { type: 'string' } } } }
const schema: JsonSchema = {
  type: 'object',
  required: ['title', 'count'],
  properties: {
    title: { type: 'string', maxLength: 200 },
    body: { type: 'string', maxLength: 10_000 },
    count: { type: 'integer' },
    live: { type: 'boolean' },
    level: { anyOf: [{ const: 1 }, { const: 2 }] },
    at: { anyOf: [{ type: 'string', format: 'date-time' }, { type: 'null' }] },
    price: { type: 'integer', description: 'In minor units' },
    tags: { type: 'array', items: { type: 'string' } },
    seo: { $ref: '#/components/schemas/Seo' },
    rules: { type: 'object', additionalProperties: true },
    createdAt: { type: 'string', readOnly: true },
  },
}
const fields = formFields(schema, schemas)

test('chooses a kind of field for each schema', t => {
  t.deepEqual(Object.fromEntries(fields.map(({ name, kind }) => [name, kind])), {
    title: 'text',
    body: 'longText',
    count: 'number',
    live: 'boolean',
    level: 'enum',
    at: 'dateTime',
    price: 'money',
    tags: 'list',
    seo: 'object',
    rules: 'json',
  })
  t.deepEqual(
    formFields(schema, schemas, ['count', 'title', 'gone']).map(({ name }) => name),
    ['count', 'title'],
  )
})

test('reads the fields of bodies with one record or several', t => {
  const body = { anyOf: [schema, { type: 'array', items: schema }] }
  t.deepEqual(formFields(body, schemas), fields)
})

test('sends the values of a new record in their types, without empty optional fields', t => {
  const values = {
    ...formValues(fields),
    title: 'Tea',
    count: '3',
    level: '2',
    price: '12.50',
    tags: ['a', 'b'],
    seo: { title: 'T' },
    rules: '{"a":1}',
  }
  t.deepEqual(formBody(fields, values), {
    body: { title: 'Tea', count: 3, level: 2, price: 1250, tags: ['a', 'b'], seo: { title: 'T' }, rules: { a: 1 } },
    invalid: [],
  })
})

test('sends changed fields only, and null or an empty value for cleared ones', t => {
  const before = formValues(fields, { title: 'Tea', body: 'Text', count: 3, at: '2026-01-02T03:04:05Z', tags: ['a'] })
  t.deepEqual(formBody(fields, before, before).body, {})
  const after = { ...before, body: '', at: '', tags: [], count: '4' }
  t.deepEqual(formBody(fields, after, before).body, { body: '', count: 4, at: null, tags: [] })
})

test('reports values that have no meaning in their type', t => {
  const values = { ...formValues(fields), title: 'Tea', count: 'many', rules: '{' }
  t.deepEqual(formBody(fields, values).invalid, [
    { pointer: '/count', reason: 'number' },
    { pointer: '/rules', reason: 'json' },
  ])
})

test('sends no number that is thousands to some readers', t => {
  const numbers = formFields({ properties: { stock: { type: 'integer' }, rating: { type: 'number' } } }, {})
  const send = (stock: string, rating: string) => formBody(numbers, { stock, rating })
  t.deepEqual(send('1,000', '1,5').body, { stock: 1000, rating: 1.5 })
  t.deepEqual(send('12', '1.234').body, { stock: 12, rating: 1.234 })
  t.deepEqual(send('1.000', '1,234').invalid, [
    { pointer: '/stock', reason: 'number' },
    { pointer: '/rating', reason: 'number' },
  ])
})

test('reports required values that are missing, unless they belong to an optional object that was left empty', t => {
  const image: JsonSchema = {
    type: 'object',
    required: ['src'],
    properties: { src: { type: 'string' }, alt: { type: 'string' } },
  }
  const all = formFields({ required: ['title'], properties: { title: { type: 'string' }, image } }, {})
  const title = { pointer: '/title', reason: 'required' }
  t.deepEqual(formBody(all, formValues(all)).invalid, [title])
  const values = { title: 'Tea', image: { src: '', alt: 'A cup' } }
  t.deepEqual(formBody(all, values).invalid, [{ pointer: '/image/src', reason: 'required' }])
  const before = formValues(all, { title: 'Tea' })
  t.deepEqual(formBody(all, { ...before, title: '' }, before).invalid, [title])
})

test('leaves out items of a list that were left empty', t => {
  t.deepEqual(formBody(fields, { ...formValues(fields), title: 'Tea', count: '1', tags: ['a', ''] }).body.tags, ['a'])
})

test('shows and sends amounts with the digits of their currency', t => {
  const description = 'In minor units'
  const price = formFields(
    { properties: { price: { type: 'integer', description }, currency: { type: 'string' } } },
    {},
  )
  const amounts = { EUR: '19.00', JPY: '1900', KWD: '1.900' }
  for (const [currency, text] of Object.entries(amounts)) {
    const before = formValues(price, { price: 1900, currency })
    t.is(before.price, text)
    t.deepEqual(formBody(price, { ...before, price: '2' }, before).body, {
      price: { EUR: 200, JPY: 2, KWD: 2000 }[currency],
    })
  }
  const euros = formValues(price, { price: 1900, currency: 'EUR' })
  t.deepEqual(formBody(price, { ...euros, currency: 'JPY' }, euros).body, { price: 19, currency: 'JPY' })
})

test('refuses an amount that can be read in two ways, in currencies with three decimals, too', t => {
  const description = 'In minor units'
  const properties = { price: { type: 'integer', description }, currency: { type: 'string' } } as const
  const price = formFields({ properties }, {})
  const sent = (text: string, currency: string) => {
    const { body, invalid } = formBody(price, { ...formValues(price), price: text, currency })
    return invalid[0]?.reason ?? body.price
  }
  for (const currency of ['KWD', 'BHD', 'EUR', 'JPY']) t.is(sent('1,234', currency), 'number', currency)
  t.is(sent('1.234', 'KWD'), 1234)
  t.is(sent('1.234', 'EUR'), 'number')
  t.is(sent('12,5', 'BHD'), 12_500)
})

test('writes prose in a text area, and addresses and titles in a line', t => {
  const kinds = formFields(
    {
      properties: {
        url: { type: 'string', maxLength: 2000 },
        title: { type: 'string', maxLength: 1000 },
        description: { type: 'string', maxLength: 1000 },
        terms: { type: 'string', maxLength: 100_000 },
      },
    },
    {},
  ).map(({ kind }) => kind)
  t.deepEqual(kinds, ['text', 'text', 'longText', 'longText'])
})

test('merges edits of different fields and reports fields that both changed', t => {
  const before = { title: 'A', body: 'B', count: '1' }
  const some = fields.filter(({ name }) => name in before)
  const merge = mergeEdits(
    some,
    before,
    { ...before, title: 'mine', body: 'same' },
    { title: 'theirs', body: 'same', count: '2' },
  )
  t.deepEqual(
    merge.conflicts.map(({ name }) => name),
    ['title'],
  )
  t.deepEqual(merge.merged, { title: 'mine', body: 'same', count: '2' })
})

test('escapes CSV, formulas included', t => {
  t.is(
    toCsv(
      ['a', 'b'],
      [
        ['x,"y"', -1],
        ['=cmd()', { a: 1 }],
      ],
    ),
    'a,b\r\n"x,""y""",-1\r\n\'=cmd(),"{""a"":1}"',
  )
})
