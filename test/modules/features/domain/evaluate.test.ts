import test from 'ava'
import { inEnglish } from '../../../../kernel/base/wording.ts'
import { createLookup } from '../../../../modules/features/domain/attributes.ts'
import { type EvaluationContext, evaluate } from '../../../../modules/features/domain/evaluate.ts'
import { compileFlag, type Definition } from '../../../../modules/features/domain/flag.ts'
import type { Outcome } from '../../../../modules/features/domain/outcome.ts'
import { validateDefinition } from '../../../../modules/features/domain/validation.ts'
import type { Value } from '../../../../modules/features/domain/value.ts'

const definition = (more: Partial<Definition> = {}): Definition => ({
  enabled: true,
  default: false,
  bucketBy: 'tenant',
  requires: [],
  entitlement: null,
  overridable: true,
  rules: [],
  ...more,
})

interface Scenario {
  flags: Record<string, Partial<Definition>>
  overrides?: Record<string, Value>
  entitlements?: string[]
  context?: Record<string, unknown>
}
const contextOf = ({ flags, overrides = {}, entitlements = [], context = {} }: Scenario): EvaluationContext => ({
  flags: new Map(Object.entries(flags).map(([key, more]) => [key, compileFlag(key, definition(more))])),
  overrides: new Map(Object.entries(overrides)),
  entitled: key => entitlements.includes(key),
  lookup: createLookup({ tenant: 'ten_1', plan: 'pro', roles: ['tenant.owner'], userId: 'usr_1' }, context),
})
const ask = (scenario: Scenario, key = 'f'): Outcome => evaluate(contextOf(scenario), key)
const on = { rules: [{ value: true }] }

test('steps decide in their order', t => {
  const all = {
    enabled: false,
    requires: [{ key: 'base', value: true }],
    entitlement: 'sold',
    rules: [{ when: { plan: 'pro' }, value: true }],
  }
  const disabled = { flags: { f: all, base: { default: false } }, overrides: { f: true } }
  t.like(ask(disabled), { value: false, reason: 'DISABLED', metadata: { source: 'disabled' } })
  const enabled = { ...disabled, flags: { f: { ...all, enabled: true }, base: { default: false } } }
  t.like(ask(enabled), { value: false, reason: 'DEFAULT', metadata: { source: 'prerequisite', prerequisite: 'base' } })
  const met = { ...enabled, flags: { ...enabled.flags, base: { default: true } } }
  t.like(ask(met), { value: true, reason: 'TARGETING_MATCH', metadata: { source: 'override' } })
  const plain = { ...met, overrides: {} }
  t.like(ask(plain), { value: false, reason: 'DEFAULT', metadata: { source: 'entitlement', entitlement: 'sold' } })
  t.like(ask({ ...plain, entitlements: ['sold'] }), {
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

test('the first rule that matches decides, with its variant', t => {
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
})

test('each outcome has a variant', t => {
  const rules = [
    { when: { country: 'FR' }, value: 'a', variant: 'blue' },
    { when: { country: 'DE' }, value: 'b' },
    { rollout: 100, value: 'c' },
  ]
  const f = { default: 'z', rules }
  const variantOf = (scenario: Scenario) => {
    const outcome = ask(scenario)
    return 'variant' in outcome ? outcome.variant : outcome.errorCode
  }
  t.is(variantOf({ flags: { f }, context: { country: 'FR' } }), 'blue')
  t.is(variantOf({ flags: { f }, context: { country: 'DE' } }), 'rule-2')
  t.is(variantOf({ flags: { f } }), 'rule-3')
  t.is(variantOf({ flags: { f: { default: 'z' } } }), 'default')
  t.is(variantOf({ flags: { f: { ...f, enabled: false } } }), 'default')
  t.is(variantOf({ flags: { f: { ...f, requires: [{ key: 'missing', value: true }] } } }), 'default')
  t.is(variantOf({ flags: { f: { ...f, entitlement: 'sold' } } }), 'default')
  t.is(variantOf({ flags: { f }, overrides: { f: 'y' } }), 'override')
})

test('rollouts of one flag share a bucket, so that consecutive rollouts split', t => {
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

test('a prerequisite that is disabled, of another type, failing or missing is not met', t => {
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

test('an evaluation of a cycle ends, and a flag that many require is evaluated once', t => {
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
  let evaluated = 0
  const base = contextOf({ flags: many })
  const counting = { ...base, entitled: () => true, overrides: { get: () => void evaluated++ } as never }
  t.like(evaluate(counting, 'n0'), { value: true })
  t.is(evaluated, 40)
})

test('ignores an override of another type', t => {
  t.like(ask({ flags: { f: { default: 'x' } }, overrides: { f: true } }), { value: 'x' })
  t.like(ask({ flags: { f: { default: 'x' } }, overrides: { f: '' } }), { value: '', reason: 'TARGETING_MATCH' })
})

test('validation reports what the schema cannot, with the path', t => {
  const flags: Record<string, Definition> = {
    a: definition({ requires: [{ key: 'b', value: true }] }),
    b: definition({ requires: [{ key: 'c', value: true }] }),
    c: definition(),
    text: definition({ default: 'x' }),
  }
  const errorsOf = (key: string, more: Partial<Definition>) => {
    const flag = definition(more)
    return validateDefinition(key, flag, other => (other === key ? flag : flags[other])).map(
      ({ path, code, detail }) => `${path.join('.')} ${code} ${inEnglish(detail)}`,
    )
  }
  t.deepEqual(errorsOf('c', { requires: [{ key: 'a', value: true }] }), [
    'requires.0 cycle creates a cycle: c → a → b → c',
  ])
  t.deepEqual(errorsOf('c', { requires: [{ key: 'c', value: true }] }), ['requires.0 cycle creates a cycle: c → c'])
  t.deepEqual(
    errorsOf('n', {
      requires: [
        { key: 'a', value: true },
        { key: 'a', value: true },
      ],
    }),
    ['requires.1 not_allowed lists a twice'],
  )
  t.deepEqual(errorsOf('n', { requires: [{ key: 'x', value: true }] }), [
    'requires.0 not_found lists an unknown feature: x',
  ])
  t.deepEqual(errorsOf('n', { requires: [{ key: 'text', value: true }] }), [
    'requires.0 wrong_type must require a string, the type of text',
  ])
  t.deepEqual(errorsOf('n', { default: 1, rules: [{ value: 2 }, { value: '3' }] }), [
    'rules.1.value wrong_type must have the type of the default: number',
  ])
  t.is(errorsOf('n', { default: true, entitlement: 'sold' }).length, 1)
  t.deepEqual(
    errorsOf('n', {
      requires: [
        { key: 'a', value: true },
        { key: 'text', value: 'x' },
      ],
    }),
    [],
  )
})
