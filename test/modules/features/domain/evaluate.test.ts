import test from 'ava'
import { lookupIn } from '../../../../modules/features/domain/attributes.ts'
import { evaluate, type World } from '../../../../modules/features/domain/evaluate.ts'
import { faultsOf } from '../../../../modules/features/domain/validation.ts'
import { compileFlag, type Definition } from '../../../../modules/features/domain/flag.ts'
import type { Outcome } from '../../../../modules/features/domain/outcome.ts'
import type { Value } from '../../../../modules/features/domain/value.ts'

const says = (more: Partial<Definition> = {}): Definition => ({
  enabled: true,
  default: false,
  bucketBy: 'tenant',
  requires: [],
  entitlement: null,
  overridable: true,
  rules: [],
  ...more,
})

interface Scene {
  flags: Record<string, Partial<Definition>>
  overrides?: Record<string, Value>
  bought?: string[]
  context?: Record<string, unknown>
}
const worldOf = ({ flags, overrides = {}, bought = [], context = {} }: Scene): World => ({
  flags: new Map(Object.entries(flags).map(([key, more]) => [key, compileFlag(key, says(more))])),
  overrides: new Map(Object.entries(overrides)),
  entitled: key => bought.includes(key),
  lookup: lookupIn({ tenant: 'ten_1', plan: 'pro', roles: ['tenant.owner'], userId: 'usr_1' }, context),
})
const ask = (scene: Scene, key = 'f'): Outcome => evaluate(worldOf(scene), key)
const on = { rules: [{ value: true }] }

test('the steps count in their order: each decides where those before it do not', t => {
  const all = {
    enabled: false,
    requires: [{ key: 'base', value: true }],
    entitlement: 'sold',
    rules: [{ when: { plan: 'pro' }, value: true }],
  }
  const scene = { flags: { f: all, base: { default: false } }, overrides: { f: true } }
  t.like(ask(scene), { value: false, reason: 'DISABLED', metadata: { source: 'disabled' } })
  const enabled = { ...scene, flags: { f: { ...all, enabled: true }, base: { default: false } } }
  t.like(ask(enabled), { value: false, reason: 'DEFAULT', metadata: { source: 'prerequisite', prerequisite: 'base' } })
  const met = { ...enabled, flags: { ...enabled.flags, base: { default: true } } }
  t.like(ask(met), { value: true, reason: 'TARGETING_MATCH', metadata: { source: 'override' } })
  const plain = { ...met, overrides: {} }
  t.like(ask(plain), { value: false, reason: 'DEFAULT', metadata: { source: 'entitlement', entitlement: 'sold' } })
  t.like(ask({ ...plain, bought: ['sold'] }), {
    value: true,
    reason: 'TARGETING_MATCH',
    metadata: { source: 'rule', rule: 0 },
  })
  t.like(ask({ flags: { f: { rules: [{ when: { plan: 'free' }, value: true }] } } }), {
    value: false,
    reason: 'DEFAULT',
    metadata: { source: 'default' },
  })
  t.like(ask({ flags: { f: { default: 'x' } } }), { value: 'x', reason: 'STATIC' })
  t.like(ask({ flags: {} }), { key: 'f', errorCode: 'FLAG_NOT_FOUND' })
})

test('the first rule that fits counts, with its variant', t => {
  const rules = [
    { when: { country: 'FR' }, value: 'a' },
    { when: { country: 'DE' }, value: 'b', variant: 'blue' },
    { value: 'c' },
  ]
  const flags = { f: { default: 'z', rules } }
  t.like(ask({ flags, context: { country: 'DE' } }), {
    value: 'b',
    variant: 'blue',
    metadata: { source: 'rule', rule: 1 },
  })
  t.like(ask({ flags, context: { country: 'IT' } }), { value: 'c', metadata: { source: 'rule', rule: 2 } })
  t.false('variant' in ask({ flags }))
})

test('rollouts of one flag share their bucket, so that one after the other splits', t => {
  const flags = {
    f: {
      default: 'c',
      bucketBy: 'targetingKey',
      rules: [
        { rollout: 30, value: 'a' },
        { rollout: 60, value: 'b' },
      ],
    },
  }
  const counts: Record<string, number> = {}
  for (let n = 0; n < 4000; n++) {
    const outcome = ask({ flags, context: { targetingKey: `user-${n}` } })
    const value = 'value' in outcome ? String(outcome.value) : 'none'
    counts[value] = (counts[value] ?? 0) + 1
  }
  for (const [value, share] of [
    ['a', 0.3],
    ['b', 0.3],
    ['c', 0.4],
  ] as const)
    t.true(Math.abs((counts[value] ?? 0) / 4000 - share) < 0.03, JSON.stringify(counts))
  t.like(ask({ flags }), { key: 'f', errorCode: 'TARGETING_KEY_MISSING' })
  t.like(ask({ flags: { f: { bucketBy: 'device', rules: [{ rollout: 50, value: true }] } } }), {
    value: false,
    reason: 'DEFAULT',
  })
})

test('a prerequisite that is off, elsewhere, unanswered or gone is not fulfilled', t => {
  const f = { ...on, requires: [{ key: 'base', value: true }] }
  const unmet = { value: false, metadata: { source: 'prerequisite', prerequisite: 'base' } }
  t.like(ask({ flags: { f, base: on } }), { value: true })
  t.like(ask({ flags: { f, base: { default: true, enabled: false } } }), unmet)
  t.like(ask({ flags: { f, base: { default: 'true' } } }), unmet)
  t.like(ask({ flags: { f, base: { bucketBy: 'targetingKey', rules: [{ rollout: 99, value: true }] } } }), unmet)
  t.like(ask({ flags: { f } }), unmet)
  const theme = { default: 'light', rules: [{ when: { country: 'DE' }, value: 'dark' }] }
  const dark = { ...on, requires: [{ key: 'theme', value: 'dark' }] }
  t.like(ask({ flags: { f: dark, theme }, context: { country: 'DE' } }), { value: true })
  t.like(ask({ flags: { f: dark, theme } }), { value: false })
  const shape = { ...on, requires: [{ key: 'shape', value: { a: 1, b: 2 } }] }
  t.like(ask({ flags: { f: shape, shape: { default: { b: 2, a: 1 } } } }), { value: true })
})

test('a circle that got in all the same ends, and a flag that many require is asked once', t => {
  const flags = {
    f: { ...on, requires: [{ key: 'g', value: true }] },
    g: { ...on, requires: [{ key: 'f', value: true }] },
  }
  t.like(ask({ flags }), { value: false, metadata: { prerequisite: 'g' } })
  const many = Object.fromEntries(
    Array.from({ length: 40 }, (_, n) => [
      `n${n}`,
      { ...on, requires: [n + 1, n + 2].filter(m => m < 40).map(m => ({ key: `n${m}`, value: true })) },
    ]),
  )
  let asked = 0
  const world = worldOf({ flags: many })
  const counting = { ...world, entitled: () => true, overrides: { get: () => void asked++ } as never }
  t.like(evaluate(counting, 'n0'), { value: true })
  t.is(asked, 40)
})

test('an override of another type is older than the flag, and counts for nothing', t => {
  t.like(ask({ flags: { f: { default: 'x' } }, overrides: { f: true } }), { value: 'x' })
  t.like(ask({ flags: { f: { default: 'x' } }, overrides: { f: '' } }), { value: '', reason: 'TARGETING_MATCH' })
})

test('what its schema cannot say of a flag is found, with its place', t => {
  const flags: Record<string, Definition> = {
    a: says({ requires: [{ key: 'b', value: true }] }),
    b: says({ requires: [{ key: 'c', value: true }] }),
    c: says(),
    text: says({ default: 'x' }),
  }
  const told = (key: string, more: Partial<Definition>) => {
    const flag = says(more)
    return faultsOf(key, flag, other => (other === key ? flag : flags[other])).map(
      ({ place, code, detail }) => `${place.join('.')} ${code} ${detail}`,
    )
  }
  t.deepEqual(told('c', { requires: [{ key: 'a', value: true }] }), [
    'requires.0 circle leads round in a circle: c → a → b → c',
  ])
  t.deepEqual(told('c', { requires: [{ key: 'c', value: true }] }), [
    'requires.0 circle leads round in a circle: c → c',
  ])
  t.deepEqual(
    told('n', {
      requires: [
        { key: 'a', value: true },
        { key: 'a', value: true },
      ],
    }),
    ['requires.1 not_allowed names a twice'],
  )
  t.deepEqual(told('n', { requires: [{ key: 'x', value: true }] }), ['requires.0 not_found names no feature: x'])
  t.deepEqual(told('n', { requires: [{ key: 'text', value: true }] }), [
    'requires.0 wrong_type must name a string, as text is one',
  ])
  t.deepEqual(told('n', { default: 1, rules: [{ value: 2 }, { value: '3' }] }), [
    'rules.1.value wrong_type must be of the type of the default: number',
  ])
  t.is(told('n', { default: true, entitlement: 'sold' }).length, 1)
  t.deepEqual(
    told('n', {
      requires: [
        { key: 'a', value: true },
        { key: 'text', value: 'x' },
      ],
    }),
    [],
  )
})
