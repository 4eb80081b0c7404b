import test from 'ava'
import { compareSchemas } from '../../../bin/recipe-diff/schemas.ts'

const REQUEST = { requests: true, replies: false }
const REPLY = { requests: false, replies: true }
type Schema = Readonly<Record<string, unknown>>

/** `!` marks breaking differences. */
const compare = (before: unknown, after: unknown, readers = REQUEST) =>
  compareSchemas(before, after, readers).map(({ text, isBreaking }) => `${isBreaking ? '!' : ''}${text}`)
const object = (properties: Readonly<Record<string, Schema>>, required: readonly string[] = []) => ({
  type: 'object',
  properties,
  required,
})
const TEXT = { type: 'string' }

test('finds no difference in equal schemas, whatever the order of their keys and their texts', t => {
  t.deepEqual(compare({ type: 'string', maxLength: 3, description: 'a' }, { maxLength: 3, type: 'string' }), [])
})

test('a new required property breaks requests, not replies', t => {
  const [before, after] = [object({}), object({ name: TEXT }, ['name'])]
  t.deepEqual(compare(before, after), ['!name: new, required'])
  t.deepEqual(compare(before, after, REPLY), ['name: new, required'])
})

test('an optional property breaks nothing, and a removed one breaks both sides', t => {
  t.deepEqual(compare(object({}), object({ name: TEXT })), ['name: new'])
  for (const readers of [REQUEST, REPLY])
    t.deepEqual(compare(object({ name: TEXT }), object({}), readers), ['!name: removed'])
})

test('a property that becomes required breaks requests; one that becomes optional breaks replies', t => {
  const [optional, required] = [object({ a: TEXT }), object({ a: TEXT }, ['a'])]
  t.deepEqual(compare(optional, required), ['!a: required'])
  t.deepEqual(compare(optional, required, REPLY), ['a: required'])
  t.deepEqual(compare(required, optional), ['a: optional'])
  t.deepEqual(compare(required, optional, REPLY), ['!a: optional'])
})

test('tighter bounds break requests, wider ones break nothing', t => {
  const bounds = (maxLength: number, minLength: number) => ({ type: 'string', maxLength, minLength })
  t.deepEqual(compare(bounds(9, 1), bounds(5, 2)), ['!maxLength 9 → 5', '!minLength 1 → 2'])
  t.deepEqual(compare(bounds(5, 2), bounds(9, 1)), ['maxLength 5 → 9', 'minLength 2 → 1'])
  t.deepEqual(compare(TEXT, { ...TEXT, maxLength: 5 }), ['!maxLength none → 5'])
  t.deepEqual(compare(bounds(9, 1), bounds(5, 1), REPLY), ['maxLength 9 → 5'])
})

test('a value that is gone from an enum breaks requests', t => {
  const values = (...list: string[]) => ({ type: 'string', enum: list })
  t.deepEqual(compare(values('a', 'b'), values('a', 'c')), ['!no longer "b"', 'new value "c"'])
  t.deepEqual(compare(values('a', 'b'), values('a'), REPLY), ['no longer "b"'])
})

test('another type breaks both sides, also beside null', t => {
  const nullable = (type: string) => ({ anyOf: [{ type }, { type: 'null' }] })
  for (const readers of [REQUEST, REPLY]) {
    t.deepEqual(compare(TEXT, { type: 'integer' }, readers), ['!type string → integer'])
    t.deepEqual(compare(nullable('string'), nullable('integer'), readers), ['!type string → integer'])
  }
})

test('null that replies may have breaks them, null that requests may no longer have breaks those', t => {
  const nullable = { type: ['string', 'null'] }
  t.deepEqual(compare(TEXT, nullable, REPLY), ['!may be null'])
  t.deepEqual(compare(TEXT, nullable), ['may be null'])
  t.deepEqual(compare(nullable, TEXT), ['!no longer null'])
})

test('compares items, other properties and nested objects by their path', t => {
  const nested = (maxLength: number) =>
    object({ list: { type: 'array', items: object({ a: { ...TEXT, maxLength } }) } })
  t.deepEqual(compare(nested(5), nested(4)), ['!list[].a: maxLength 5 → 4'])
  t.deepEqual(compare(object({}), { ...object({}), additionalProperties: false }), ['!no other properties'])
})

test('keywords without a rule of their own break requests', t => {
  t.deepEqual(compare(TEXT, { ...TEXT, pattern: '^a' }), ['!pattern changed'])
  t.deepEqual(compare({ ...TEXT, pattern: '^a' }, TEXT), ['pattern changed'])
})

test('compares references by name', t => {
  const reference = (name: string) => ({ $ref: `#/components/schemas/${name}` })
  t.deepEqual(compare(reference('A'), reference('A')), [])
  t.deepEqual(compare(reference('A'), reference('B')), ['!A → B'])
})
