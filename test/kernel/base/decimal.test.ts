import test from 'ava'
import { Type } from 'typebox'
import { isExactNumber, isMultipleOf } from '../../../kernel/base/decimal.ts'
import { createValidator } from '../../../kernel/base/validation.ts'
import { validatorOf } from '../../../kernel/recipe/ajv.ts'
import { compileJsonSchema } from '../../../modules/collections/domain/fields/json-schema.ts'
import { compileSchema } from '../../../modules/forms/domain/schema-compiler.ts'

const multiples = [
  [19.99, 0.01],
  [4.35, 0.01],
  [8.2, 0.01],
  [0.14, 0.01],
  [-19.99, 0.01],
  [0.3, 0.1],
  [0.15, 0.05],
  [0, 0.1],
  [1e21, 0.1],
  [1e-7, 1e-8],
  [7.5, 2.5],
  [9007199254740991, 1],
] as const
const others = [
  [0.005, 0.01],
  [19.995, 0.01],
  [0.31, 0.1],
  [1, 0.3],
  [1e-9, 1e-8],
  [10, 3],
  [1.5, 1],
] as const

test('takes steps as decimals', t => {
  for (const [value, step] of multiples) t.true(isMultipleOf(value, step), `${value} ${step}`)
  for (const [value, step] of others) t.false(isMultipleOf(value, step), `${value} ${step}`)
  t.true(isMultipleOf(1e308, 5e-324))
})

test('takes steps as decimals in bodies, queries, recipes, forms and JSON fields', t => {
  for (const multipleOf of [0.01, 0.1, 0.05]) {
    const schema = Type.Object({ amount: Type.Number({ multipleOf }) })
    const { body, query } = createValidator()
    const [ofBody, ofQuery, ofRecipe] = [body(schema), query(schema), validatorOf(schema)]
    const [ofForm, ofField] = [compileSchema(schema as never), compileJsonSchema(schema as never)]
    for (const [amount] of multiples.filter(([, step]) => step === multipleOf)) {
      t.notThrows(() => ofBody({ amount }))
      t.notThrows(() => ofQuery({ amount: String(amount) }))
      t.true(ofRecipe({ amount }))
      t.deepEqual([...ofForm({ amount }), ...ofField({ amount })], [])
    }
    const amount = 0.005
    t.throws(() => ofBody({ amount }))
    t.throws(() => ofQuery({ amount: String(amount) }))
    t.false(ofRecipe({ amount }))
    t.is(ofForm({ amount })[0]?.detail, `must be a multiple of ${multipleOf}`)
    t.is(ofField({ amount }).length, 1)
  }
})

test('knows the numbers that keep their digits', t => {
  for (const text of ['9007199254740991', '750727362669609000', '1e23', '-1e300', '100000000000000000000', '0.1'])
    t.true(isExactNumber(text), text)
  for (const text of [
    '0.10000000000000001',
    '0.30000000000000004',
    '0.00000000000000000001',

    '0e5',
  ])
    t.true(isExactNumber(text), text)
  for (const text of ['750727362669608961', '-9007199254740993', '9007199254740993.0', '7.50727362669608961e17'])
    t.false(isExactNumber(text), text)
})

test('knows the decimals that would be rounded', t => {
  for (const text of ['0.1234567890123456789012345', '3.141592653589793238462643', '1234567890.1234567890', '1e-400'])
    t.false(isExactNumber(text), text)
  for (const text of ['12345678901234.567', '-0.12345678901234567890', '1.23456789e-320', '99999999999999.995'])
    t.false(isExactNumber(text), text)
})
