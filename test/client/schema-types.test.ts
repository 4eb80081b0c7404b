import test from 'ava'
import { componentNames, declaration, typeOf } from '../../bin/client/schema-types.ts'

const names = new Map([['#/components/schemas/Page', 'Page']])
const type = (schema: unknown) => typeOf(schema, { names })
const input = (schema: unknown) => typeOf(schema, { names, input: true })

test('translates scalars, constants and enums', t => {
  t.is(type({ type: 'integer' }), 'number')
  t.is(type({ type: ['string', 'null'] }), 'string | null')
  t.is(type({ const: 'ok' }), "'ok'")
  t.is(type({ enum: ["it's", 2, null] }), "'it\\'s' | 2 | null")
  t.is(type({}), 'unknown')
  t.is(type(true), 'unknown')
  t.is(type(false), 'never')
})

test('translates arrays and tuples', t => {
  t.is(type({ type: 'array', items: { enum: ['a', 'b'] } }), "('a' | 'b')[]")
  t.is(type({ type: 'array', items: { $ref: '#/components/schemas/Page' } }), 'Page[]')
  t.is(type({ type: 'array', prefixItems: [{ type: 'string' }], items: { type: 'number' } }), '[string, ...number[]]')
  t.is(input({ type: 'array', items: { type: 'array', items: { type: 'string' } } }), 'readonly (readonly string[])[]')
})

test('translates objects, with free and with declared properties', t => {
  t.is(
    type({ type: 'object', properties: { a: { type: 'string' }, 'b-c': {} }, required: ['a'] }),
    "{\n  a: string\n  'b-c'?: unknown\n}",
  )
  t.is(type({ type: 'object', additionalProperties: { type: 'number' } }), 'Record<string, number>')
  t.is(type({ type: 'object', additionalProperties: false }), 'Record<string, never>')
  t.is(
    type({ type: 'object', patternProperties: { '^x': { type: 'string' } }, additionalProperties: false }),
    'Record<string, string>',
  )
  t.is(
    type({ type: 'object', properties: { a: { type: 'string' } }, additionalProperties: true }),
    '{\n  a?: string\n  [key: string]: unknown\n}',
  )
})

test('accepts undefined for optional properties of inputs', t => {
  t.is(input({ type: 'object', properties: { a: { type: 'string' } } }), '{\n  a?: string | undefined\n}')
})

test('translates combined schemas', t => {
  const page = { $ref: '#/components/schemas/Page' }
  t.is(type({ anyOf: [page, { type: 'null' }] }), 'Page | null')
  t.is(
    type({ allOf: [page, { type: 'object', properties: { a: { type: 'string' } }, required: ['a'] }] }),
    'Page & {\n  a: string\n}',
  )
  t.is(type({ allOf: [page, { anyOf: [{ type: 'string' }, { type: 'number' }] }] }), 'Page & (string | number)')
  t.is(
    type({ type: 'object', properties: { a: {} }, anyOf: [{ required: ['a'] }, { required: ['b'] }] }),
    '{\n  a?: unknown\n}',
  )
})

test('keeps comments inside their comment', t => {
  t.is(
    declaration('A', { type: 'object', description: 'Ends */ here', properties: {} }, { names }),
    '/** Ends *\\/ here */\nexport type A = Record<string, unknown>',
  )
})

test('gives components names that are free', t => {
  const found = componentNames({ 'a.b': {}, AB: {}, Response: {}, '2fa': {} }, new Set(['Response']))
  t.deepEqual([...found.values()], ['AB', 'ABSchema', 'ResponseSchema', '_2fa'])
})
