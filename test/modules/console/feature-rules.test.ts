import test from 'ava'
import type { FlagRule } from '../../../modules/console/app/data/api-types.ts'
import {
  editRule,
  newRule,
  otherAttributes,
  parseValue,
  ruleOf,
  serverAttributeIn,
} from '../../../modules/console/app/screens/features/rules.ts'

test('returns the rules that it was given', t => {
  const rules: readonly FlagRule[] = [
    { value: true },
    { when: { country: { in: ['DE', 'AT'] }, plan: { eq: 'pro' } }, rollout: 50, value: true, variant: 'b' },
    { when: { age: { gte: 18, lt: 65 }, code: { eq: '12' }, beta: { eq: true } }, value: true },
    { when: { app: { semverGte: '1.2.0' } }, value: true },
  ]
  t.deepEqual(
    rules.map(rule => ruleOf(editRule(rule), 'boolean')),
    rules,
  )
  t.deepEqual(ruleOf(editRule({ when: { plan: 'pro' }, value: 'x' }), 'string'), {
    when: { plan: { eq: 'pro' } },
    value: 'x',
  })
})

test('leaves out conditions without an attribute', t => {
  const conditions = [{ attribute: ' ', operator: 'eq', operand: 'x' }]
  t.deepEqual(ruleOf({ ...newRule('true'), conditions }, 'boolean'), { value: true })
})

test('rejects values of another type', t => {
  t.is(parseValue('12', 'string'), '12')
  t.is(parseValue('12', 'number'), 12)
  t.deepEqual(parseValue('{"a":1}', 'object'), { a: 1 })
  for (const [text, type] of [
    ['12', 'boolean'],
    ['[]', 'object'],
    ['x', 'number'],
    ['750727362669608961', 'number'],
    ['{"a":[750727362669608961]}', 'object'],
  ] as const)
    t.throws(() => parseValue(text, type), { instanceOf: SyntaxError })
})

test('suggests attributes of other flags, and the server’s for names that are like them', t => {
  const flags = [
    { rules: [{ when: { country: 'DE', 'tenant.plan': 'pro' }, value: true }] },
    { rules: [{ value: true }] },
  ]
  t.deepEqual(otherAttributes(flags, ['plan', 'roles']), ['country'])
  t.is(serverAttributeIn('tenant.plan', ['plan', 'roles']), 'plan')
  t.is(serverAttributeIn('Roles', ['plan', 'roles']), 'roles')
  t.is(serverAttributeIn('country', ['plan', 'roles']), undefined)
})
