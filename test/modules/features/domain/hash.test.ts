import test from 'ava'
import fc from 'fast-check'
import { type EvaluationContext, evaluate } from '../../../../modules/features/domain/evaluate.ts'
import { compileFlag, type Definition } from '../../../../modules/features/domain/flag.ts'
import { BUCKETS, bucketOf, fnv32a } from '../../../../modules/features/domain/hash.ts'
import { isFailure } from '../../../../modules/features/domain/outcome.ts'

/** GrowthBook's published cases of `hash` (packages/sdk-js/test/cases.json, specVersion 0.5.4): seed, value, hash. */
const VERSION_1 = [
  ['', 'a', 0.22],
  ['', 'b', 0.077],
  ['b', 'a', 0.946],
  ['ef', 'd', 0.652],
  ['asdf', '8952klfjas09ujk', 0.549],
  ['', '123', 0.011],
  ['', '___)((*":&', 0.563],
] as const
const VERSION_2 = [
  ['seed', 'a', 0.0505],
  ['seed', 'b', 0.2696],
  ['foo', 'ab', 0.2575],
  ['foo', 'def', 0.2019],
  ['89123klj', '8952klfjas09ujkasdf', 0.124],
  ['90850943850283058242805', '123', 0.7516],
  ['()**(%$##$%#$#', '___)((*":&', 0.0128],
] as const

test('buckets match GrowthBook’s published cases of hash version 2', t => {
  for (const [seed, value, hash] of VERSION_2) t.is(bucketOf(fnv32a(seed), value) / BUCKETS, hash, `${seed} ${value}`)
})

test('the underlying hash matches GrowthBook’s published cases of hash version 1', t => {
  for (const [seed, value, hash] of VERSION_1) t.is((fnv32a(value + seed) % 1000) / 1000, hash, `${seed} ${value}`)
})

const definition = (rollout: number, more: Partial<Definition> = {}): Definition => ({
  enabled: true,
  default: false,
  bucketBy: 'tenant',
  requires: [],
  entitlement: null,
  overridable: true,
  rules: [{ rollout, value: true }],
  ...more,
})
const isCovered = (key: string, rollout: number, tenant: unknown): boolean => {
  const context: EvaluationContext = {
    flags: new Map([[key, compileFlag(key, definition(rollout))]]),
    overrides: new Map(),
    entitled: () => true,
    lookup: name => (name === 'tenant' ? tenant : undefined),
  }
  const outcome = evaluate(context, key)
  return !isFailure(outcome) && outcome.value === true
}
const percent = fc.integer({ min: 0, max: BUCKETS }).map(hundredths => hundredths / 100)

test('raising the percentage excludes no one who was included', t => {
  fc.assert(
    fc.property(fc.string({ minLength: 1 }), fc.string({ minLength: 1 }), percent, percent, (key, tenant, a, b) => {
      const [less, more] = [Math.min(a, b), Math.max(a, b)]
      return !isCovered(key, less, tenant) || isCovered(key, more, tenant)
    }),
  )
  t.pass()
})

test('0 percent includes no one, 100 percent everyone, and others their share', t => {
  fc.assert(
    fc.property(fc.string({ minLength: 1 }), tenant => !isCovered('f', 0, tenant) && isCovered('f', 100, tenant)),
  )
  const tenants = Array.from({ length: 10_000 }, (_, n) => `ten_${n}`)
  for (const rollout of [1, 20, 50]) {
    const share = (tenants.filter(tenant => isCovered('new-editor', rollout, tenant)).length / tenants.length) * 100
    t.true(Math.abs(share - rollout) < 1.5, `${rollout} percent are ${share}`)
  }
})

test('percentages are exact to a hundredth despite floating point', t => {
  const buckets = Array.from({ length: 3000 }, (_, n) => bucketOf(fnv32a('f'), `ten_${n}`))
  for (const rollout of [0.07, 0.29, 1.15, 33.33])
    t.is(
      buckets.filter((_, n) => isCovered('f', rollout, `ten_${n}`)).length,
      buckets.filter(bucket => bucket < Math.round(rollout * 100)).length,
    )
})

test('a subject without the attribute is in no partial rollout, but in a full one', t => {
  for (const nothing of [undefined, null, '', true, [], {}]) {
    t.false(isCovered('f', 99.99, nothing))
    t.true(isCovered('f', 100, nothing))
  }
  t.is(isCovered('f', 50, 7), isCovered('f', 50, '7'))
})
