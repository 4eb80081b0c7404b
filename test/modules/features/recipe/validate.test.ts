import test from 'ava'
import { recipeProblems, toLine } from '../../recipe-problems.ts'

const BILLING = `modules: { identity: {}, billing: {}, features: {} }
entitlements: { exports: { kind: flag } }
plans:
  free: { name: Free, price: 0, currency: EUR }
  pro: { name: Pro, price: 900, currency: EUR }
`

test('rejects an unknown entitlement in a flag', async t => {
  const problems = await recipeProblems(t, `${BILLING}features:\n  csv: { default: false, entitlement: export }\n`)
  t.deepEqual(problems.map(toLine), [
    'error unknown_entitlement recipe.yaml:9:39 Unknown entitlement "export" → Did you mean "exports"?',
  ])
})

test('warns of unknown plans in the conditions of a flag', async t => {
  const rules = `features:
  editor:
    default: false
    rules:
      - { when: { plan: por }, value: true }
      - { when: { plan: { in: [free, team] } }, value: true }
      - { when: { plan: { ne: pro } }, value: true }
`
  t.deepEqual((await recipeProblems(t, BILLING + rules)).map(toLine), [
    'warning unknown_plan recipe.yaml:12:25 Unknown plan "por" → Did you mean "pro"?',
    'warning unknown_plan recipe.yaml:13:38 Unknown plan "team" → Declared: free, pro',
  ])
})

test('knows the plan free of a recipe with billing and without plans', async t => {
  const rules = (plan: string) =>
    `modules: { identity: {}, billing: {}, features: {} }\nfeatures: { a: { default: false, rules: [{ when: { plan: ${plan} }, value: true }] } }\n`
  t.deepEqual(await recipeProblems(t, rules('free')), [])
  t.deepEqual((await recipeProblems(t, rules('pro'))).map(toLine), [
    'warning unknown_plan recipe.yaml:4:58 Unknown plan "pro" → Declared: free',
  ])
})

test('does not check plans in a recipe without billing', async t => {
  const recipe =
    'modules: { identity: {}, features: {} }\nfeatures: { a: { default: false, entitlement: x, rules: [{ when: { plan: y }, value: true }] } }\n'
  t.deepEqual(await recipeProblems(t, recipe), [])
})
