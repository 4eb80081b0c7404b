import test from 'ava'
import { Type } from 'typebox'
import { Problem } from '../../../kernel/base/problem.ts'
import { createValidator, type ValueCheck } from '../../../kernel/base/validation.ts'

const errorsOf = (check: ValueCheck, value: unknown): readonly { code: string }[] => {
  try {
    check(value)
    return []
  } catch (error) {
    return Problem.is(error) ? (error.extras.errors as { code: string }[]) : []
  }
}
const unknownFields = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, at) => [`f${at}`, 1]))

test('reports at most 20 invalid fields', t => {
  const check = createValidator().body(Type.Object({ name: Type.Optional(Type.String()) }))
  t.deepEqual(
    [1, 19, 20, 21, 1000].map(count => errorsOf(check, unknownFields(count)).length),
    [1, 19, 20, 20, 20],
  )
})

test('reports only the first invalid field of a value with more than 1,000 fields and items', t => {
  const check = createValidator().body(Type.Object({ a: Type.Optional(Type.Unknown()) }))
  t.is(errorsOf(check, unknownFields(1001)).length, 1)
  t.is(errorsOf(check, { ...unknownFields(20), a: Array.from({ length: 979 }) }).length, 20)
  t.is(errorsOf(check, { ...unknownFields(20), a: Array.from({ length: 980 }) }).length, 1)
  t.is(errorsOf(check, { ...unknownFields(20), a: [{}, { b: unknownFields(980) }] }).length, 1)
})

test('stops at the first error of a value with more than 1,000 items', t => {
  let reads = 0
  const item = {
    get name() {
      reads++
      return 1
    },
  }
  const Item = Type.Object({ name: Type.String() })
  const check = createValidator().body(Type.Object({ items: Type.Array(Item) }))
  t.is(errorsOf(check, { items: Array.from({ length: 1001 }, () => item) }).length, 1)
  t.true(reads < 10, `${reads}`)
})

test('a value that matches a late branch of many alternatives is valid', t => {
  const branches = Array.from({ length: 40 }, (_, at) => Type.Object({ kind: Type.Literal(`k${at}`) }))
  const check = createValidator().body(Type.Union(branches))
  t.deepEqual(check({ kind: 'k39' }), { kind: 'k39' })
})
