import test from 'ava'
import { compileSchema } from '../../../../modules/forms/domain/schema-compiler.ts'
import type { Json } from '../../../../modules/forms/domain/schema-traversal.ts'
import { validateSchema } from '../../../../modules/forms/domain/schema-validation.ts'

const errorsOf = (schema: unknown) => validateSchema(schema).map(({ path, code }) => `${path.join('/')} ${code}`)
const property = (inner: unknown) => ({ type: 'object', properties: { x: inner } })
const nested = (levels: number): Json => (levels === 0 ? {} : { not: nested(levels - 1) })

for (const [name, schema] of [
  ['an empty schema', {}],
  ['draft-07', { $schema: 'http://json-schema.org/draft-07/schema#', type: 'object', definitions: { a: {} } }],
  [
    '2020-12',
    { $schema: 'https://json-schema.org/draft/2020-12/schema', ...property({ $ref: '#/$defs/a' }), $defs: { a: {} } },
  ],
  ['an $id at the root', { $id: 'https://example.com/person.schema.json', ...property({ type: 'string' }) }],
  ['a property named $ref', { properties: { $ref: { type: 'string' }, $id: {} } }],
  ['a constant that looks like a reference', property({ const: { $ref: 'https://evil.test/' } })],
  ['an anchor', { ...property({ $ref: '#name' }), $defs: { a: { $anchor: 'name' } } }],
  [
    'one definition used often',
    {
      properties: Object.fromEntries([...'abcdef'].map(k => [k, { $ref: '#/$defs/a' }])),
      $defs: { a: { type: 'string' } },
    },
  ],
  ['a pattern', property({ type: 'string', pattern: '^\\u0041\\d{3}[\\w-]+$' })],
  ['the maximum depth', nested(19)],
  [
    'texts in several languages',
    { title: { en: 'A', 'de-AT': 'B' }, $defs: { a: { oneOf: [{ title: { de: 'C' } }] } } },
  ],
  ['a property named title', { properties: { title: { type: 'string' }, description: {} } }],
] as const)
  test(`accepts ${name}`, t => {
    t.deepEqual(validateSchema(schema), [])
  })

for (const [name, schema, expected] of [
  ['a number', 7, ' wrong_type'],
  ['a boolean', true, ' wrong_type'],
  ['a list', [], ' wrong_type'],
  ['the type string', { type: 'string' }, 'type not_allowed'],
  ['another dialect', { $schema: 'http://json-schema.org/draft-04/schema#' }, '$schema not_allowed'],
  ['a reference to the network', property({ $ref: 'https://evil.test/a.json' }), 'properties/x/$ref not_allowed'],
  ['a reference to a file', property({ $ref: 'file:///etc/passwd' }), 'properties/x/$ref not_allowed'],
  ['a reference relative to an $id', { $id: 'https://evil.test/a', $ref: 'b' }, '$ref not_allowed'],
  [
    'a reference hidden in a definition',
    { $defs: { a: { items: { $ref: '//evil.test' } } } },
    '$defs/a/items/$ref not_allowed',
  ],
  ['a nested $id', property({ $id: 'https://evil.test/' }), 'properties/x/$id not_allowed'],
  ['a reference to nothing', property({ $ref: '#/$defs/none' }), 'properties/x/$ref not_found'],
  ['a reference up the prototype', property({ $ref: '#/constructor' }), 'properties/x/$ref not_found'],
  ['a reference to itself', property({ $ref: '#' }), 'properties/x/$ref not_allowed'],
  [
    'a cycle of references',
    { $ref: '#/$defs/a', $defs: { a: { $ref: '#/$defs/b' }, b: { $ref: '#/$defs/a' } } },
    '$defs/b/$ref not_allowed',
  ],
  ['a dynamic reference', property({ $dynamicRef: '#x' }), 'properties/x/$dynamicRef not_allowed'],
  ['a text in no language', property({ title: {} }), 'properties/x/title wrong_type'],
  ['a language that is none', property({ title: { german: 'x' } }), 'properties/x/title/german not_allowed'],
  [
    'a translation that is no text',
    property({ description: { de: { en: 'x' } } }),
    'properties/x/description/de wrong_type',
  ],
  ['a title that is no text', property({ title: ['x'] }), 'properties/x/title wrong_type'],
  ['a pattern with look-ahead', property({ pattern: '(?=a)b' }), 'properties/x/pattern bad_pattern'],
  ['a pattern with a back-reference', property({ pattern: '(a+)\\1' }), 'properties/x/pattern bad_pattern'],
  ['an invalid pattern', property({ pattern: '(' }), 'properties/x/pattern bad_pattern'],
  ['a pattern among patternProperties', { patternProperties: { '(?!x)': {} } }, 'patternProperties/(?!x) bad_pattern'],
  ['a pattern of a thousand characters', property({ pattern: 'a'.repeat(1000) }), 'properties/x/pattern bad_pattern'],
  ['an unknown type', property({ type: 'text' }), 'properties/x/type not_allowed'],
  ['a keyword with a wrong value', property({ maxLength: '3' }), 'properties/x/maxLength wrong_type'],
  ['21 levels', nested(20), ' too_deep'],
  ['1 MiB', { description: 'x'.repeat(1024 * 1024) }, ' too_long'],
] as const)
  test(`rejects ${name}`, t => {
    const found = errorsOf(schema)
    t.true(found.includes(expected), JSON.stringify(found))
  })

test('rejects a schema whose cost doubles at each of 30 definitions', t => {
  const names = Array.from({ length: 30 }, (_, at) => `d${at}`)
  const $defs = Object.fromEntries(
    names.map((name, at) => [
      name,
      at === 29 ? {} : { allOf: [{ $ref: `#/$defs/d${at + 1}` }, { $ref: `#/$defs/d${at + 1}` }] },
    ]),
  )
  t.deepEqual(errorsOf({ $ref: '#/$defs/d0', $defs }), [' too_costly'])
})

test('reports all errors at once', t => {
  const found = errorsOf({ properties: { a: { $ref: 'x.json' }, b: { pattern: '(?<=a)' }, c: { $ref: '#/nowhere' } } })
  t.deepEqual(found, [
    'properties/a/$ref not_allowed',
    'properties/b/pattern bad_pattern',
    'properties/c/$ref not_found',
  ])
})

test('a pattern that would backtrack exponentially runs in linear time', t => {
  const schema = property({ type: 'string', pattern: '^(([a-z])+.)+[A-Z]([a-z])+$' })
  t.deepEqual(validateSchema(schema), [])
  const validate = compileSchema(schema)
  t.deepEqual(
    validate({ x: 'a'.repeat(60_000) }).map(({ pointer, code }) => `${pointer} ${code}`),
    ['/x wrong_format'],
  )
  t.deepEqual(validate({ x: 'ab Ab' }), [])
})

test('ignores $async, inherited properties and defaults', t => {
  const validate = compileSchema({ $async: true, required: ['constructor'], properties: { a: { default: 1 } } })
  t.deepEqual(
    validate({}).map(({ pointer }) => pointer),
    ['/constructor'],
  )
  const data = { constructor: 1 }
  t.deepEqual(validate(data), [])
  t.deepEqual(data, { constructor: 1 })
})

test('each dialect has its own keywords', t => {
  const tuple = { type: 'object', properties: { x: { items: [{ type: 'string' }], additionalItems: false } } }
  const old = compileSchema({ $schema: 'http://json-schema.org/draft-07/schema#', ...tuple })
  t.is(old({ x: ['a', 'b'] }).length, 1)
  const dependent = { dependentRequired: { a: ['b'] } }
  t.is(compileSchema(dependent)({ a: 1 }).length, 1)
})
