import test from 'ava'
import { Type } from 'typebox'
import { createValidator } from '../../../kernel/base/validation.ts'
import { validatorOf } from '../../../kernel/recipe/ajv.ts'
import { compileJsonSchema } from '../../../modules/collections/domain/fields/json-schema.ts'
import { compileSchema } from '../../../modules/forms/domain/schema-compiler.ts'

const UNIQUE = { type: 'array', uniqueItems: true }
const isUnique = (items: readonly unknown[]): boolean => compileJsonSchema(UNIQUE)(items).length === 0

test('items are equal whatever the order of their keys', t => {
  for (const items of [
    [
      { a: 1, b: 2 },
      { b: 2, a: 1 },
    ],
    [{ a: [{ c: null, d: 'x' }] }, 3, { a: [{ d: 'x', c: null }] }],
    [[], []],
    [0, -0],
    [null, 1, null],
    ['a', 'b', 'a'],
  ])
    t.false(isUnique(items), JSON.stringify(items))
})

test('items of other types, orders or names are different', t => {
  for (const items of [
    [1, '1', true, 'true', null, 'null', '', [], {}, '[]', '{}'],
    [
      [1, 2],
      [2, 1],
    ],
    [{ a: 1 }, { b: 1 }, { a: 1, b: 1 }, { a: '1' }],
    [['a,b'], ['a', 'b'], ['"a","b"']],
    [{ 'a":1,"b': 1 }, { a: 1, b: 1 }],
  ])
    t.true(isUnique(items), JSON.stringify(items))
  t.deepEqual(compileJsonSchema({ ...UNIQUE, uniqueItems: false })([1, 1]), [])
})

test('each item of a list of objects is read once', t => {
  let reads = 0
  const items = Array.from({ length: 1000 }, (_, at) => ({
    get name() {
      reads++
      return `n${at}`
    },
  }))
  t.true(isUnique(items))
  t.is(reads, items.length)
})

test('a duplicate is reported with its places, in requests, recipes, JSON fields and forms', t => {
  const detail = 'must not contain duplicates; items 0 and 2 are equal'
  const schema = { type: 'object', properties: { tags: UNIQUE } } as const
  const value = { tags: [{ a: 1 }, 2, { a: 1 }] }
  t.like(compileJsonSchema(schema)(value)[0], { pointer: '/tags', code: 'duplicate', detail })
  t.like(compileSchema(schema)(value)[0], { pointer: '/tags', code: 'duplicate', detail })
  const check = createValidator().body(Type.Unsafe<object>(schema))
  const error = t.throws(() => check(value)) as Error & { extras: { errors: object[] } }
  t.like(error.extras.errors[0], { pointer: '/tags', code: 'duplicate', detail })
  t.false(validatorOf(Type.Unsafe<object>(schema))(value))
})

test('an address of `format: url` has at most 4,096 characters', t => {
  const errorsOf = compileJsonSchema({ type: 'string', format: 'url' })
  t.deepEqual(errorsOf(`https://acme.com/${'a'.repeat(4000)}`), [])
  t.is(errorsOf(`https://acme.com/${'a'.repeat(4100)}`)[0]?.code, 'wrong_format')
})
