import test from 'ava'
import fc from 'fast-check'
import { surelyCompiles } from '../../../../modules/forms/domain/quick-schema-check.ts'
import { compileSchema, metaFaults } from '../../../../modules/forms/domain/schema-compiler.ts'
import type { Json } from '../../../../modules/forms/domain/schema-traversal.ts'

const words = fc.constantFrom<[string, unknown]>(
  ['type', 'object'],
  ['type', ['string', 'null']],
  ['type', 'strong'],
  ['title', 'A'],
  ['title', 7],
  ['enum', ['a', 1]],
  ['enum', []],
  ['enum', 'a'],
  ['const', { a: 1 }],
  ['required', ['a']],
  ['required', ['a', 'a']],
  ['minLength', 2],
  ['minLength', -1],
  ['pattern', '^a$'],
  ['format', 'email'],
  ['format', 'nobody-knows'],
  ['multipleOf', 0],
  ['nullable', true],
  ['$anchor', 'a'],
  ['$id', 'https://acme.test/a'],
  ['id', 'a'],
  ['$async', true],
  ['$dynamicRef', '#a'],
  ['examples', [1]],
)
const { schema } = fc.letrec<{ schema: Json }>(again => ({
  schema: fc.oneof(
    { maxDepth: 3, depthSize: 'small' },
    fc.array(words, { maxLength: 3 }).map(pairs => Object.fromEntries(pairs)),
    again('schema').map(inner => ({ type: 'object', properties: { x: inner } })),
    fc.tuple(again('schema'), again('schema')).map(([a, b]) => ({ anyOf: [a], prefixItems: [b], items: false })),
    again('schema').map(inner => ({ if: inner, else: { $ref: '#/$defs/a' }, $defs: { a: inner } })),
    again('schema').map(inner => ({ dependentSchemas: { x: inner } })),
  ),
}))

test('what surely compiles is JSON Schema, and compiles', t => {
  let sure = 0
  fc.assert(
    fc.property(schema, schema => {
      // Whether references lead somewhere is asked before.
      const whole = { ...schema, $defs: { ...(schema.$defs as Json), a: {} } }
      if (!surelyCompiles(whole)) return
      sure++
      t.deepEqual(metaFaults(whole), [])
      t.notThrows(() => compileSchema(whole))
    }),
    { numRuns: 300, seed: 1 },
  )
  t.true(sure > 30, `${sure} of them`)
})

test('what ajv alone can judge, and what is large, is left to it', t => {
  const property = (x: Json) => ({ type: 'object', properties: { x } })
  t.true(surelyCompiles(property({ type: 'string', enum: ['a'] })))
  t.false(surelyCompiles(property({ type: 'string', enum: [] })))
  t.false(surelyCompiles(property({ nullable: true })))
  t.false(surelyCompiles(property({ $anchor: 'a' })))
  t.false(surelyCompiles({ properties: Object.fromEntries(Array.from({ length: 300 }, (_, n) => [`f${n}`, {}])) }))
})
