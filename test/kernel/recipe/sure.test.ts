import test from 'ava'
import fc from 'fast-check'
import { createAjv } from '../../../kernel/recipe/exact.ts'
import { surelyFits, unsure } from '../../../kernel/recipe/sure.ts'

type Json = Record<string, unknown>

const NAMES = ['a', 'b', 'per']
const leaf: fc.Arbitrary<Json> = fc.oneof(
  fc.constantFrom<Json>(
    { type: 'string', minLength: 1, maxLength: 2 },
    { type: 'string', pattern: '^[ab]+$', default: 'a' },
    { type: 'string', format: 'email' },
    { type: 'integer', minimum: 0, maximum: 3 },
    { type: 'number', exclusiveMinimum: 0, default: 1 },
    { type: 'boolean', default: false },
    { enum: ['a', 'b', 1] },
    { const: 'a' },
    { type: ['string', 'null'] },
    { type: 'strong' },
    {},
  ),
)
const { schema } = fc.letrec<{ schema: Json }>(again => ({
  schema: fc.oneof(
    { maxDepth: 3, depthSize: 'small' },
    leaf,
    fc
      .record({
        properties: fc.dictionary(fc.constantFrom(...NAMES), again('schema'), { maxKeys: 3 }),
        required: fc.uniqueArray(fc.constantFrom(...NAMES), { maxLength: 1 }),
        additionalProperties: fc.oneof(fc.boolean(), again('schema')),
        default: fc.constantFrom(undefined, {}),
      })
      .map(({ default: standard, ...rest }) => ({ type: 'object', ...rest, ...(standard && { default: standard }) })),
    again('schema').map(inner => ({ type: 'object', patternProperties: { '^[ab]$': inner } })),
    again('schema').map(inner => ({ type: 'object', propertyNames: { pattern: '^a' }, additionalProperties: inner })),
    fc.tuple(again('schema'), fc.boolean()).map(([items, uniqueItems]) => ({ type: 'array', items, uniqueItems })),
    fc.array(again('schema'), { minLength: 1, maxLength: 2 }).map(anyOf => ({ anyOf })),
    fc.array(again('schema'), { minLength: 1, maxLength: 2 }).map(oneOf => ({ oneOf })),
    fc.array(again('schema'), { minLength: 1, maxLength: 2 }).map(allOf => ({ allOf })),
  ),
}))
const { value } = fc.letrec(again => ({
  value: fc.oneof(
    { maxDepth: 3, depthSize: 'small' },
    fc.constantFrom('', 'a', 'ab', 'abc', 'a@b.test', 0, 1, 7, -1, 0.5, true, null),
    fc.dictionary(fc.constantFrom(...NAMES), again('value'), { maxKeys: 3 }),
    fc.array(again('value'), { maxLength: 3 }),
  ),
}))

/** What ajv says, or the reason for which it cannot be asked. */
function byAjv(schema: Json, value: unknown): boolean | string {
  try {
    return createAjv().compile(schema)(value) as boolean
  } catch (error) {
    return String(error)
  }
}

test('a quick yes is one of ajv too, with the same defaults', t => {
  let yes = 0
  fc.assert(
    fc.property(schema, value, (schema, value) => {
      const filled = structuredClone(value)
      if (!surelyFits(schema, filled)) return
      yes++
      const known = structuredClone(value)
      t.is(byAjv(schema, known), true)
      t.deepEqual(filled, known)
    }),
    { numRuns: 3000, seed: 1 },
  )
  t.true(yes > 150, `${yes} of them fit`)
})

/** What ajv tells, with what it fills in, or the reason for which it cannot be asked. */
function told(schema: Json, value: unknown): unknown {
  const filled = structuredClone(value)
  try {
    const validate = createAjv().compile(schema)
    validate(filled)
    return {
      filled,
      errors: validate.errors?.map(({ keyword, instancePath, params }) => [keyword, instancePath, params]),
    }
  } catch (error) {
    return String(error)
  }
}

test('of the rest ajv tells all that it would tell of the whole', t => {
  let asked = 0
  const object = fc
    .dictionary(fc.constantFrom(...NAMES), schema, { minKeys: 2, maxKeys: 3 })
    .map(properties => ({ type: 'object', properties, required: ['a'], additionalProperties: false }))
  fc.assert(
    fc.property(object, fc.dictionary(fc.constantFrom(...NAMES, 'c'), value, { maxKeys: 3 }), (schema, value) => {
      const found = structuredClone(value)
      if (surelyFits(schema, found)) return
      const rest = unsure(schema, found)
      if (JSON.stringify(rest) !== JSON.stringify(schema)) asked++
      t.deepEqual(told(rest, found), told(schema, value))
    }),
    { numRuns: 1000, seed: 1 },
  )
  t.true(asked > 300, `${asked} of them were asked in part`)
})

test('what is no schema, and what has formats, references or defaults in branches, is left to ajv', t => {
  t.false(surelyFits({ type: 'strong' }, 'a'))
  t.false(surelyFits({ type: 'string', format: 'email' }, 'a@b.test'))
  t.true(surelyFits({ type: 'array', items: { type: 'string', format: 'email' } }, []))
  t.false(surelyFits({ $ref: '#/definitions/a', definitions: { a: {} } }, 'a'))
  t.false(surelyFits({ anyOf: [{ type: 'object', properties: { a: { default: 1 } } }] }, {}))
})
