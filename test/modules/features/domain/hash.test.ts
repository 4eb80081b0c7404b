import test from 'ava'
import fc from 'fast-check'
import { evaluate, type World } from '../../../../modules/features/domain/evaluate.ts'
import { compileFlag, type Definition } from '../../../../modules/features/domain/flag.ts'
import { BUCKETS, bucketOf, fnv32a } from '../../../../modules/features/domain/hash.ts'
import { isFailure } from '../../../../modules/features/domain/outcome.ts'

/** `hash` of GrowthBook's published cases (packages/sdk-js/test/cases.json, specVersion 0.5.4): seed, value, hash. */
const FIRST = [
  ['', 'a', 0.22],
  ['', 'b', 0.077],
  ['b', 'a', 0.946],
  ['ef', 'd', 0.652],
  ['asdf', '8952klfjas09ujk', 0.549],
  ['', '123', 0.011],
  ['', '___)((*":&', 0.563],
] as const
const SECOND = [
  ['seed', 'a', 0.0505],
  ['seed', 'b', 0.2696],
  ['foo', 'ab', 0.2575],
  ['foo', 'def', 0.2019],
  ['89123klj', '8952klfjas09ujkasdf', 0.124],
  ['90850943850283058242805', '123', 0.7516],
  ['()**(%$##$%#$#', '___)((*":&', 0.0128],
] as const

test('a bucket is that of GrowthBook’s published cases of hash version 2', t => {
  for (const [seed, value, hash] of SECOND) t.is(bucketOf(fnv32a(seed), value) / BUCKETS, hash, `${seed} ${value}`)
})

test('the hash beneath is that of GrowthBook’s published cases of hash version 1', t => {
  for (const [seed, value, hash] of FIRST) t.is((fnv32a(value + seed) % 1000) / 1000, hash, `${seed} ${value}`)
})

const says = (rollout: number, more: Partial<Definition> = {}): Definition => ({
  enabled: true,
  default: false,
  bucketBy: 'tenant',
  requires: [],
  entitlement: null,
  overridable: true,
  rules: [{ rollout, value: true }],
  ...more,
})
const isIn = (key: string, rollout: number, tenant: unknown): boolean => {
  const world: World = {
    flags: new Map([[key, compileFlag(key, says(rollout))]]),
    overrides: new Map(),
    entitled: () => true,
    lookup: name => (name === 'tenant' ? tenant : undefined),
  }
  const outcome = evaluate(world, key)
  return !isFailure(outcome) && outcome.value === true
}
const percent = fc.integer({ min: 0, max: BUCKETS }).map(hundredths => hundredths / 100)

test('raising the percentage never takes anybody out', t => {
  fc.assert(
    fc.property(fc.string({ minLength: 1 }), fc.string({ minLength: 1 }), percent, percent, (key, tenant, a, b) => {
      const [less, more] = [Math.min(a, b), Math.max(a, b)]
      return !isIn(key, less, tenant) || isIn(key, more, tenant)
    }),
  )
  t.pass()
})

test('nobody is in 0 percent, everybody in 100, and a percentage takes its share', t => {
  fc.assert(fc.property(fc.string({ minLength: 1 }), tenant => !isIn('f', 0, tenant) && isIn('f', 100, tenant)))
  const people = Array.from({ length: 10_000 }, (_, n) => `ten_${n}`)
  for (const rollout of [1, 20, 50]) {
    const share = (people.filter(tenant => isIn('new-editor', rollout, tenant)).length / people.length) * 100
    t.true(Math.abs(share - rollout) < 1.5, `${rollout} percent are ${share}`)
  }
})

test('one percentage of a flag is exactly its hundredths, whatever a float makes of it', t => {
  const buckets = Array.from({ length: 3000 }, (_, n) => bucketOf(fnv32a('f'), `ten_${n}`))
  for (const rollout of [0.07, 0.29, 1.15, 33.33])
    t.is(
      buckets.filter((_, n) => isIn('f', rollout, `ten_${n}`)).length,
      buckets.filter(bucket => bucket < Math.round(rollout * 100)).length,
    )
})

test('who has nothing to be counted by is in no part of a rollout, but in the whole', t => {
  for (const nothing of [undefined, null, '', true, [], {}]) {
    t.false(isIn('f', 99.99, nothing))
    t.true(isIn('f', 100, nothing))
  }
  t.is(isIn('f', 50, 7), isIn('f', 50, '7'))
})
