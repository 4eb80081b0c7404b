import test from 'ava'
import { type Leaf, modelOf, type Node } from '../../../../modules/forms/core/model.ts'
import { defaultsOf, entryOf } from '../../../../modules/forms/core/posted.ts'
import { itemsOf } from '../../../../modules/forms/core/shown.ts'
import type { Json } from '../../../../modules/forms/core/walk.ts'

const leaves = (node: Node): Leaf[] => (node.kind === 'leaf' ? [node] : node.children.flatMap(leaves))
const model = (properties: Json, ui: Json = {}, more: Json = {}) => modelOf({ type: 'object', properties, ...more }, ui)
const shapeOf = (schema: Json, ui: Json = {}) => {
  const [leaf] = leaves(model({ x: schema }, { x: ui }))
  return `${leaf?.widget} ${leaf?.type} ${leaf?.reading}`
}

for (const [schema, ui, expected] of [
  [{ type: 'string' }, {}, 'input text text'],
  [{ type: 'string', format: 'email' }, {}, 'input email text'],
  [{ type: 'string', format: 'uri' }, {}, 'input url text'],
  [{ type: 'string', format: 'date' }, {}, 'input date text'],
  [{ type: 'string', format: 'date-time' }, {}, 'input datetime-local date-time'],
  [{ type: 'string' }, { 'ui:widget': 'textarea' }, 'textarea  text'],
  [{ type: 'string' }, { 'ui:widget': 'tel' }, 'input tel text'],
  [{ type: 'string' }, { 'ui:widget': 'javascript' }, 'input text text'],
  [{ type: 'string' }, { 'ui:widget': 'hidden' }, 'hidden  text'],
  [{ type: 'integer' }, {}, 'input number number'],
  [{ type: ['number', 'null'] }, {}, 'input number number'],
  [{ type: 'boolean' }, {}, 'checkbox  boolean'],
  [{ const: true }, {}, 'checkbox  boolean'],
  [{ type: 'boolean' }, { 'ui:widget': 'radio' }, 'radios  choice'],
  [{ enum: ['a', 'b'] }, {}, 'select  choice'],
  [{ enum: ['a', 'b'] }, { 'ui:widget': 'radio' }, 'radios  choice'],
  [{ oneOf: [{ const: 1, title: 'One' }, { const: 2 }] }, {}, 'select  choice'],
  [{ type: 'array', items: { enum: ['a'] } }, {}, 'checkboxes  choices'],
  [{ type: 'array', items: { type: 'string' } }, {}, 'textarea  lines'],
  [{ type: 'array', items: { type: 'object', properties: { a: {} } } }, {}, 'textarea  json'],
  [{ type: 'object' }, {}, 'textarea  json'],
  [{ $ref: '#/properties/x/$defs/a', $defs: { a: { type: 'integer' } } }, {}, 'input number number'],
] as const)
  test(`${JSON.stringify(schema)} ${JSON.stringify(ui)} becomes ${expected}`, t => {
    t.is(shapeOf(schema, ui), expected)
  })

test('labels, helps, order and what is required come from schema and uiSchema', t => {
  const made = model(
    { lastName: {}, first: { title: 'Given name', description: 'As in your passport.' }, z: {} },
    { 'ui:order': ['first', '*', 'nobody'], first: { 'ui:help': 'All of them.' }, z: { 'ui:title': 'Zed' } },
    { required: ['z'] },
  )
  t.deepEqual(
    leaves(made).map(({ label, help, required }) => [label, help, required]),
    [
      ['Given name', 'As in your passport. All of them.', false],
      ['Last name', '', false],
      ['Zed', '', true],
    ],
  )
})

test('fields that only may count are shown, and not asked for', t => {
  const made = model(
    { kind: { enum: ['a', 'b'] } },
    {},
    {
      if: { properties: { kind: { const: 'a' } } },
      // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
      then: { properties: { more: { type: 'string' } }, required: ['more'] },
      allOf: [{ properties: { always: {} }, required: ['always'] }],
      dependentSchemas: { kind: { properties: { why: {} } } },
    },
  )
  t.deepEqual(
    leaves(made).map(({ key, required }) => `${key} ${required}`),
    ['kind false', 'always true', 'more false', 'why false'],
  )
})

const EVERYTHING = model(
  {
    text: { type: 'string' },
    mail: { type: 'string', format: 'email' },
    count: { type: 'integer' },
    yes: { type: 'boolean' },
    one: { enum: [1, 2, null] },
    some: { type: 'array', items: { enum: ['red', 'blue'] } },
    lines: { type: 'array', items: { type: 'string' } },
    when: { type: 'string', format: 'date-time' },
    any: {},
    raw: { type: 'object' },
    place: { type: 'object', properties: { city: { type: 'string' }, ok: { type: 'boolean' } } },
    'a/b~c': { type: 'string' },
  },
  {},
)

test('what was posted becomes an entry of the types that the schema names', t => {
  const posted = {
    '/text': ' two\r\nlines ',
    '/mail': ' ada@example.test ',
    '/count': ' 42 ',
    '/yes': 'true',
    '/one': '2',
    '1:/some': 'true',
    '/lines': 'a\n\n b ',
    '/when': '2026-01-31T09:30',
    '/raw': '{"a":[1]}',
    '/place/city': 'Turin',
    '/a~1b~0c': 'odd',
    token: 'x',
    '/other': 'y',
  }
  t.deepEqual(entryOf(EVERYTHING, posted), {
    text: ' two\nlines ',
    mail: 'ada@example.test',
    count: 42,
    yes: true,
    one: null,
    some: ['blue'],
    lines: ['a', 'b'],
    when: '2026-01-31T09:30:00Z',
    raw: { a: [1] },
    place: { city: 'Turin', ok: false },
    'a/b~c': 'odd',
  })
})

test('what was left empty is not there; what makes no sense stays as it was typed', t => {
  t.deepEqual(entryOf(EVERYTHING, { '/text': '  ' }), { yes: false })
  const odd = { '/count': '12abc', '/one': '9', '/raw': '{', '/when': 'soon' }
  t.deepEqual(entryOf(EVERYTHING, odd), { count: '12abc', yes: false, one: '9', raw: '{', when: 'soon' })
})

test('JSON that somebody types is held to what any JSON from strangers is', t => {
  for (const text of ['['.repeat(5000) + ']'.repeat(5000), '{"__proto__":1}', '"\\u0000"', '{"a":1,"a":2}'])
    t.deepEqual(entryOf(EVERYTHING, { '/raw': text }), { yes: false, raw: text })
})

test('defaults are shown, each in its field', t => {
  const made = model({
    text: { default: 'hi' },
    none: { default: null },
    yes: { type: 'boolean', default: true },
    one: { enum: ['a', 'b'], default: 'b' },
    some: { type: 'array', items: { enum: ['a', 'b'] }, default: ['b'] },
    lines: { type: 'array', items: { type: 'string' }, default: ['x', 'y'] },
    when: { type: 'string', format: 'date-time', default: '2026-01-31T09:30:00Z' },
    in: { type: 'object', properties: { deep: { type: 'number', default: 0 } } },
  })
  t.deepEqual(defaultsOf(made), {
    '/text': 'hi',
    '/yes': 'true',
    '/one': '1',
    '1:/some': 'true',
    '/lines': 'x\ny',
    '/when': '2026-01-31T09:30',
    '/in/deep': '0',
  })
})

test('an error stands beside its field and in the summary, in plain words', t => {
  const { items, summary } = itemsOf(EVERYTHING, { '/mail': 'nobody' }, [
    { pointer: '/mail', code: 'wrong_format', detail: 'must match format "email"' },
    { pointer: '/some/0', code: 'not_allowed', detail: 'must be one of red, blue' },
    { pointer: '', code: 'invalid', detail: 'must match "then" schema' },
  ])
  const mail = items.find(({ name }) => name === '/mail')
  t.like(mail, {
    value: 'nobody',
    error: 'Mail must be an e-mail address, like name@example.com.',
    describedBy: `${mail?.id}-error`,
  })
  t.deepEqual(summary, [
    { text: 'Mail must be an e-mail address, like name@example.com.', anchor: `#${mail?.id}` },
    { text: 'Some must be one of red, blue.', anchor: '#field-6-0' },
    { text: 'The form must match "then" schema.', anchor: '' },
  ])
})
