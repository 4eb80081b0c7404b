import { fileURLToPath } from 'node:url'
import test from 'ava'
import { packageRoot } from '../../../../kernel/base/package-root.ts'
import { fieldError, wording } from '../../../../kernel/index.ts'
import { createFieldModel, type Field, type FieldNode } from '../../../../modules/forms/domain/field-model.ts'
import { defaultFields, parseEntry } from '../../../../modules/forms/domain/form-parser.ts'
import { formTexts } from '../../../../modules/forms/domain/page-texts.ts'
import { compileSchema } from '../../../../modules/forms/domain/schema-compiler.ts'
import type { Json } from '../../../../modules/forms/domain/schema-traversal.ts'
import { createViewModel } from '../../../../modules/forms/pages/view-model.ts'
import { loadTexts } from '../../../../services/templates/texts.ts'

const folders = ['modules/forms', 'themes/default'].map(folder =>
  fileURLToPath(new URL(`${folder}/locales/`, packageRoot)),
)
const say = loadTexts(folders)
const textsIn = (locale: string) => formTexts(text => say(locale, text))

const fieldsIn = (node: FieldNode): Field[] => (node.kind === 'field' ? [node] : node.children.flatMap(fieldsIn))
const model = (properties: Json, ui: Json = {}, more: Json = {}) =>
  createFieldModel({ type: 'object', properties, ...more }, ui)
const shapeOf = (schema: Json, ui: Json = {}) => {
  const [field] = fieldsIn(model({ x: schema }, { x: ui }))
  return `${field?.widget} ${field?.type} ${field?.valueFormat}`
}

for (const [schema, ui, expected] of [
  [{ type: 'string' }, {}, 'input text text'],
  [{ type: 'string', format: 'email' }, {}, 'input email text'],
  [{ type: 'string', format: 'uri' }, {}, 'input url text'],
  [{ type: 'string', format: 'date' }, {}, 'input date text'],
  [{ type: 'string', format: 'constructor' }, {}, 'input text text'],
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

test('labels, help, order and required fields come from schema and uiSchema', t => {
  const made = model(
    { lastName: {}, first: { title: 'Given name', description: 'As in your passport.' }, z: {} },
    { 'ui:order': ['first', '*', 'nobody'], first: { 'ui:help': 'All of them.' }, z: { 'ui:title': 'Zed' } },
    { required: ['z'] },
  )
  t.deepEqual(
    fieldsIn(made).map(({ label, help, required }) => [label, help, required]),
    [
      ['Given name', 'As in your passport. All of them.', false],
      ['Last name', '', false],
      ['Zed', '', true],
    ],
  )
})

test('fields of conditional schemas are shown, but not required', t => {
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
    fieldsIn(made).map(({ key, required }) => `${key} ${required}`),
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

test('parses posted fields into an entry with the types of the schema', t => {
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
  t.deepEqual(parseEntry(EVERYTHING, posted), {
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

test('omits empty fields and keeps invalid text', t => {
  t.deepEqual(parseEntry(EVERYTHING, { '/text': '  ' }), { yes: false })
  const odd = { '/count': '12abc', '/one': '9', '/raw': '{', '/when': 'soon' }
  t.deepEqual(parseEntry(EVERYTHING, odd), { count: '12abc', yes: false, one: '9', raw: '{', when: 'soon' })
  // A thousand to some readers.
  t.deepEqual(parseEntry(EVERYTHING, { '/count': '1.000' }), { count: '1.000', yes: false })
})

test('applies the limits of request bodies to typed JSON', t => {
  for (const text of ['['.repeat(5000) + ']'.repeat(5000), '{"__proto__":1}', '"\\u0000"', '{"a":1,"a":2}'])
    t.deepEqual(parseEntry(EVERYTHING, { '/raw': text }), { yes: false, raw: text })
})

test('formats default values for their fields', t => {
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
  t.deepEqual(defaultFields(made), {
    '/text': 'hi',
    '/yes': 'true',
    '/one': '1',
    '1:/some': 'true',
    '/lines': 'x\ny',
    '/when': '2026-01-31T09:30',
    '/in/deep': '0',
  })
})

test('shows an error beside its field and in the summary', t => {
  const errors = [
    fieldError('/mail', 'wrong_format', wording('must be an email address')),
    fieldError('/some/0', 'not_allowed', wording('must be one of {choices}', { choices: ['red', 'blue'] })),
    fieldError('', 'invalid', wording('does not have the required form')),
  ]
  const { items, summary } = createViewModel(EVERYTHING, { '/mail': 'nobody' }, errors, textsIn('en'))
  const mail = items.find(({ name }) => name === '/mail')
  t.like(mail, { value: 'nobody', describedBy: `${mail?.id}-error` })
  t.is(say('en', mail?.error), 'Mail must be an email address, like name@example.com.')
  const lines = summary.map(({ text, anchor }) => ({ text: say('en', text), anchor }))
  t.deepEqual(lines, [
    { text: 'Mail must be an email address, like name@example.com.', anchor: `#${mail?.id}` },
    { text: 'Some must be one of red, blue.', anchor: '#field-6-0' },
    { text: 'The form does not have the required form.', anchor: '' },
  ])
})

test('shows all errors in German', t => {
  const schema = {
    type: 'object',
    required: ['gone'],
    minProperties: 20,
    additionalProperties: false,
    properties: {
      gone: {},
      short: { type: 'string', minLength: 3 },
      long: { type: 'string', maxLength: 1 },
      zip: { type: 'string', pattern: '^\\d{5}$' },
      least: { type: 'number', minimum: 3 },
      most: { type: 'number', maximum: 3 },
      above: { type: 'number', exclusiveMinimum: 3 },
      below: { type: 'number', exclusiveMaximum: 3 },
      step: { type: 'number', multipleOf: 2 },
      whole: { type: 'integer' },
      few: { type: 'array', items: { type: 'string' }, minItems: 2 },
      many: { type: 'array', items: { type: 'string' }, maxItems: 1, uniqueItems: true },
      either: { anyOf: [{ type: 'string' }, { type: 'number' }], not: { const: 'x' } },
      choice: { enum: ['a', 'b'] },
      day: { type: 'string', format: 'date' },
      terms: { const: true },
      on: { type: 'boolean' },
    },
  }
  const entry = {
    short: 'a',
    long: 'abc',
    zip: 'x',
    least: 2,
    most: 4,
    above: 3,
    below: 3,
    step: 3,
    whole: 'x',
    few: ['a'],
    many: ['a', 'a'],
    either: 'x',
    choice: 'c',
    day: 'x',
    terms: false,
    on: 'x',
    strange: 1,
  }
  const { items, summary } = createViewModel(
    createFieldModel(schema, null),
    {},
    compileSchema(schema)(entry),
    textsIn('de-AT'),
  )
  const errorOf = new Map(items.map(({ name, error }) => [name, say('de-AT', error)]))
  const lines = summary.map(({ text, anchor }) => ({ text: say('de-AT', text), anchor }))
  t.is(errorOf.get('/gone'), 'Gone ist erforderlich.')
  t.is(errorOf.get('/short'), 'Short muss mindestens 3 Zeichen lang sein.')
  t.is(errorOf.get('/choice'), 'Choice muss einer dieser Werte sein: a, b.')
  t.is(errorOf.get('/day'), 'Day muss ein Datum sein, zum Beispiel 2026-01-31.')
  t.is(errorOf.get('/terms'), 'Terms muss angekreuzt sein.')
  t.is(errorOf.get('/either'), 'Either hat nicht die verlangte Form.')
  t.deepEqual(
    lines.filter(({ anchor }) => anchor === '').map(({ text }) => text),
    ['Das Formular muss mindestens 20 Felder haben.', 'strange ist kein bekanntes Feld.'],
  )
  t.deepEqual(
    lines.filter(({ text }) => /\b(must|is|not|has|the)\b/i.test(text)),
    [],
  )
  t.is(summary.length, 19)
})

test('translates values without a label', t => {
  const asked = createFieldModel(
    { properties: { sure: { type: 'boolean' }, tags: { type: 'array', items: { type: 'string' } } } },
    { sure: { 'ui:widget': 'radio' } },
  )
  const labels = (locale: string) => {
    const [sure, tags] = createViewModel(asked, {}, [], textsIn(locale)).items
    return [...(sure?.boxes ?? []).map(({ label }) => label), tags?.help]
  }
  t.deepEqual(labels('en'), ['Yes', 'No', 'One per line.'])
  t.deepEqual(labels('de'), ['Ja', 'Nein', 'Ein Eintrag pro Zeile.'])
  t.deepEqual(labels('fr'), labels('en'))
})

test('a number of a megabyte of digits takes no longer than its length', t => {
  const count = `${'1'.repeat(1_000_000)}x`
  t.like(parseEntry(EVERYTHING, { '/count': count }), { count })
})
