import test from 'ava'
import { inEnglish, type Wording } from '../../../../../kernel/index.ts'
import type { DeclaredField } from '../../../../../modules/collections/domain/declarations/declaration.ts'
import { createProfileFields } from '../../../../../modules/collections/domain/rows/profile-fields.ts'

const fieldsOf = (fields: Readonly<Record<string, DeclaredField>>) => {
  const { user } = createProfileFields({ user: { fields } })
  if (!user) throw new Error('the profile has no fields')
  return user
}
interface Refused {
  readonly extras: { readonly errors: readonly { readonly pointer: string; readonly detail: string }[] }
}

/** What a person types, the value of it, and what the form refuses. */
const CASES: readonly (readonly [field: DeclaredField, text: string, value: unknown, wrong: string])[] = [
  [{ type: 'text', minLength: 2 }, ' a', ' a', 'a'],
  [{ type: 'longtext', maxLength: 3 }, 'a\r\nb', 'a\nb', 'abcd'],
  [{ type: 'markdown', maxLength: 3 }, '*a*', '*a*', '**a**'],
  [{ type: 'slug' }, 'first-steps', 'first-steps', 'First steps'],
  [{ type: 'email' }, 'ada@example.test', 'ada@example.test', 'ada@'],
  [{ type: 'url' }, 'https://acme.example/', 'https://acme.example/', 'javascript:alert(1)'],
  [{ type: 'integer', min: 1 }, '7', 7, '0'],
  [{ type: 'integer' }, '1000', 1000, '1.000'],
  [{ type: 'number' }, '1.5', 1.5, 'NaN'],
  [{ type: 'money', currency: 'EUR' }, '49.50', 4950, '49.505'],
  [{ type: 'money', currency: 'EUR' }, '1500,50', 150_050, '1.500'],
  [{ type: 'date' }, '2026-02-28', '2026-02-28', '2026-02-30'],
  [{ type: 'datetime' }, '2026-01-31T12:00', '2026-01-31T12:00:00.000Z', 'noon'],
  [{ type: 'duration' }, '90m', '90m', '90 minutes'],
  [{ type: 'enum', values: ['s', 'm'] }, 's', 's', 'xl'],
  [{ type: 'json', schema: { type: 'object' } }, '{"a": [1]}', { a: [1] }, '[1]'],
  [{ type: 'json' }, 'null', null, '{a: 1}'],
]

test('values of every type are typed, stored and shown again', t => {
  for (const [field, text, value] of CASES) {
    const fields = fieldsOf({ x: field })
    const stored = fields.merge({}, fields.valuesOf({ 'profile.x': text }), 'person')
    t.deepEqual(stored, { x: value }, `${field.type} ${text}`)
    const [item] = fields.form(stored, 'en').items as readonly { readonly name: string; readonly value: string }[]
    t.is(item?.name, 'profile.x')
    t.deepEqual(
      fields.merge({}, fields.valuesOf({ 'profile.x': item?.value ?? '' }), 'person'),
      { x: value },
      field.type,
    )
  }
})

test('a check mark is a value, and its absence is one', t => {
  const fields = fieldsOf({ x: { type: 'boolean', required: true } })
  t.deepEqual(fields.valuesOf({ 'profile.x': 'true' }), { x: true })
  t.deepEqual(fields.create(fields.valuesOf({})), { x: false })
})

test('what is not a value of the type is refused beside its input, which keeps the text', t => {
  for (const [field, , , wrong] of CASES) {
    const fields = fieldsOf({ x: field, y: { type: 'text' } })
    const input = { 'profile.x': wrong, 'profile.y': 'kept' }
    const { extras } = t.throws(() => fields.merge({}, fields.valuesOf(input), 'person')) as unknown as Refused
    t.deepEqual(
      extras.errors.map(({ pointer }) => pointer),
      ['/profile/x'],
      `${field.type} ${wrong}`,
    )
    const { items } = fields.form({}, 'en', { refused: { input, errors: [...extras.errors] as never } })
    const [x, y] = items as readonly { readonly error: Wording | ''; readonly value: string }[]
    t.regex(x?.error ? inEnglish(x.error) : '', /^X must /, field.type)
    t.is(x?.value, wrong)
    t.like(y, { error: '', value: 'kept' })
  }
})

test('values of other JSON types are refused', t => {
  for (const [field] of CASES)
    if (field.type !== 'json')
      for (const value of [{}, [], ['a'], field.type === 'integer' || field.type === 'number' ? '7x' : { toString: 1 }])
        t.throws(
          () => fieldsOf({ x: field }).merge({}, { x: value }, 'person'),
          undefined,
          `${field.type} ${JSON.stringify(value)}`,
        )
})

test('names of properties of every object are no fields', t => {
  for (const name of ['__proto__', 'constructor', 'toString'])
    t.throws(
      () => fieldsOf({ x: { type: 'text' } }).merge({}, JSON.parse(`{"${name}": "a"}`), 'person'),
      undefined,
      name,
    )
})

test('a value from before a change of the recipe that does not fit is missing, but kept', t => {
  const stored = fieldsOf({ x: { type: 'text' } }).merge({}, { x: 'seven' }, 'person')
  const later = fieldsOf({ x: { type: 'integer', required: true }, y: { type: 'text' } })
  t.deepEqual(later.read(stored), { x: null, y: null })
  t.false(later.isComplete(stored))
  t.deepEqual(later.merge(stored, { y: 'a' }, 'person'), { x: 'seven', y: 'a' })
  t.true(later.isComplete(later.merge(stored, { x: 7 }, 'person')))
})

test('a read-only field is changed by operators, and not by the person or a registration', t => {
  const fields = fieldsOf({ region: { type: 'text', readOnly: true }, phone: { type: 'text' } })
  t.throws(() => fields.merge({}, { region: 'north' }, 'person'))
  t.throws(() => fields.create({ region: 'north' }))
  t.deepEqual(fields.merge({}, { region: 'north' }, 'operator'), { region: 'north' })
  t.deepEqual(
    fields.form({ region: 'north' }, 'en').items.map(item => Reflect.get(item, 'name')),
    ['profile.phone'],
  )
  t.deepEqual(fields.valuesOf({ 'profile.region': 'south', 'profile.phone': '1' }), { phone: '1' })
})
