import test from 'ava'
import { createLookup } from '../../../../modules/features/domain/attributes.ts'
import { type Condition, compileWhen } from '../../../../modules/features/domain/conditions.ts'
import { compareVersions, parseVersion } from '../../../../modules/features/domain/semver.ts'

const matches = (condition: Condition, value: unknown) =>
  compileWhen({ a: condition })(name => (name === 'a' ? value : undefined))

/** Condition, matching values, other values. */
const TABLE: readonly [Condition, readonly unknown[], readonly unknown[]][] = [
  ['pro', ['pro', ['free', 'pro']], ['free', undefined, null, [], { pro: true }]],
  [8, [8, '8'], [9, '8.0', true]],
  [true, [true, 'true'], [false, 1, 'yes']],
  [{ eq: 'pro' }, ['pro', ['pro']], ['free', undefined]],
  [{ ne: 'pro' }, ['free', undefined, null, []], ['pro', ['x', 'pro']]],
  [{ in: ['a', 1] }, ['a', 1, '1', ['z', 'a']], ['b', undefined, []]],
  [{ notIn: ['a', 1] }, ['b', undefined, []], ['a', 1, ['z', 'a']]],
  [{ gt: 5 }, [6, '6', [1, 6]], [5, '5', 'x', '', undefined, Number.NaN]],
  [{ gte: 5 }, [5, '5.0'], [4]],
  [{ lt: 5 }, [4, -1], [5, '', undefined]],
  [{ lte: 5 }, [5], [6]],
  [{ gt: '2026-01-01' }, ['2026-01-02'], ['2025-12-31', 20260102]],
  [{ gte: 1, lt: 3 }, [1, 2], [0, 3]],
  [{ contains: 'ed' }, ['editor', ['ed']], [['editor'], 'x', undefined]],
  [{ startsWith: 'ed' }, ['editor', ['x', 'ed']], ['red', 7]],
  [{ endsWith: '@acme.test' }, ['ada@acme.test'], ['ada@acme.test.evil']],
  [{ exists: true }, [0, '', false, []], [undefined, null]],
  [{ exists: false }, [undefined, null], [0]],
  [{ semverEq: '1.2.3' }, ['1.2.3', 'v1.2.3', '1.2.3+build.9'], ['1.2.3-rc.1', '1.2', 'x']],
  [{ semverGt: '9.9.9' }, ['10.0.0', '9.10.0'], ['9.9.9', '9.9.9-rc', undefined]],
  [{ semverGte: '2.1' }, ['2.1.0', 'v3'], ['2.1.0-rc.1', '2.0.9']],
  [{ semverLt: '2.0.0' }, ['2.0.0-rc.1', '1.99.99'], ['2.0.0']],
  [{ semverLte: '2.0.0' }, ['2.0.0', '1.0.0'], ['2.0.1', 'x'.repeat(10_000)]],
]

test('each operator matches its values, and no others', t => {
  for (const [condition, yes, no] of TABLE) {
    for (const value of yes)
      t.true(matches(condition, value), `${JSON.stringify(condition)} of ${JSON.stringify(value)}`)
    for (const value of no)
      t.false(matches(condition, value), `${JSON.stringify(condition)} of ${JSON.stringify(value)}`)
  }
})

test('all attributes must match, and an empty condition matches everyone', t => {
  const lookup = (name: string) => ({ country: 'DE', age: 8 })[name]
  t.true(compileWhen({ country: 'DE', age: { gt: 7 } })(lookup))
  t.false(compileWhen({ country: 'DE', age: { gt: 8 } })(lookup))
  t.true(compileWhen({})(lookup))
})

test('orders versions as Semantic Versioning does', t => {
  const order = ['1.0.0-alpha', '1.0.0-alpha.1', '1.0.0-alpha.beta', '1.0.0-beta', '1.0.0-beta.2', '1.0.0-beta.11']
  order.push('1.0.0-rc.1', '1.0.0', '1.0.1', '1.10.0', '2.0.0')
  const parsed = order.map(text => parseVersion(text))
  for (const [i, a] of parsed.entries())
    for (const [j, b] of parsed.entries())
      if (a && b) t.is(Math.sign(compareVersions(a, b)), Math.sign(i - j), `${order[i]} ${order[j]}`)
  for (const text of ['', '1.2.3.4', '1.2.x', '1.2.3-', 'v', '1..2']) t.is(parseVersion(text), undefined, text)
})

test('client attributes cannot replace those of the server', t => {
  const lookup = createLookup(
    { tenant: 'ten_1', plan: undefined, roles: ['tenant.member'], userId: 'usr_1' },
    { tenant: 'ten_2', plan: 'enterprise', roles: ['tenant.owner'], userId: 'usr_2', country: 'DE' },
  )
  t.deepEqual(['tenant', 'plan', 'roles', 'userId', 'country'].map(lookup), [
    'ten_1',
    undefined,
    ['tenant.member'],
    'usr_1',
    'DE',
  ])
})

test('a dotted name reaches into client attributes, but not into prototypes', t => {
  const lookup = createLookup(
    { tenant: 'ten_1', plan: 'pro', roles: ['x'], userId: undefined },
    { address: { country: 'DE' }, 'a.b': 1, a: { b: 2 }, list: ['x'] },
  )
  t.is(lookup('address.country'), 'DE')
  t.is(lookup('a.b'), 1)
  for (const name of [
    'address.city',
    'address.country.x',
    'list.0',
    'constructor',
    'address.constructor',
    '__proto__.x',
    'roles.0',
  ])
    t.is(lookup(name), undefined, name)
})

test('a text or list over the limit counts as missing', t => {
  const facts = { tenant: 'ten_1', plan: undefined, roles: [], userId: undefined }
  const lookup = createLookup(facts, {
    long: 'x'.repeat(2001),
    list: Array.from({ length: 201 }, () => 1),
    deep: { long: 'x'.repeat(2001) },
    nested: ['x'.repeat(2001), ['y'], 'z'],
  })
  for (const name of ['long', 'list', 'deep.long']) t.is(lookup(name), undefined, name)
  t.deepEqual(lookup('nested'), [undefined, undefined, 'z'])
})
