import test from 'ava'
import { recipeProblems, toLine } from '../../recipe-problems.ts'

const SITE = `modules: { identity: {}, content: {}, billing: {} }
plans: { free: { name: Free, price: 0, currency: EUR } }
`
const lines = async (...given: Parameters<typeof recipeProblems>) => (await recipeProblems(...given)).map(toLine)

test('rejects an unknown permission in a menu', async t => {
  const recipe = `${SITE}navigation:
  main:
    - { label: Plan, path: /billing, permission: billing.subscription.raed }
`
  t.deepEqual(await lines(t, recipe), [
    'error unknown_permission recipe.yaml:7:50 Unknown permission "billing.subscription.raed" → Did you mean "billing.subscription.read"?',
  ])
})

test('rejects a menu item that links to a page with parameters', async t => {
  const recipe = `${SITE}pages: { course: { title: Course, path: "/courses/:slug" } }
navigation:
  main: [{ label: Course, page: course }]
`
  t.deepEqual(await lines(t, recipe), [
    'error page_with_parameters recipe.yaml:7:33 The page "course" has parameters in its path /courses/:slug, so a menu can\'t link to it → Link to a page without parameters, or set path to one address such as /courses/first',
  ])
})

test('warns of a menu item whose path nothing serves', async t => {
  const recipe = `${SITE}pages: { about: { title: About } }
redirects: [{ from: "/old/*", to: /about }]
navigation:
  main:
    - { label: Plan, path: /biling }
    - { label: About, path: /about#team }
    - { label: Old, path: /old/news }
    - { label: Home, path: / }
    - { label: Elsewhere, path: "https://elsewhere.test/x" }
    - { label: Here, path: "#here" }
    - { label: More, items: [{ label: Account, path: /account?tab=1 }, { label: Docs, path: /docs }] }
`
  t.deepEqual(await lines(t, recipe), [
    'warning unknown_path recipe.yaml:9:28 Nothing is served at /biling → Did you mean "/billing"?',
  ])
})

test('warns of a page at a path that a module serves', async t => {
  const recipe = `${SITE}pages:
  sign-in: { title: Welcome }
  plan: { title: Plan, path: /billing }
  about: { title: About }
`
  t.deepEqual(await lines(t, recipe), [
    'warning path_taken recipe.yaml:6:3 module "identity" already serves /sign-in, so this page is never shown → Choose another path',
    'warning path_taken recipe.yaml:7:30 module "billing" already serves /billing, so this page is never shown → Choose another path',
  ])
})

test('warns of a redirect that starts at a page', async t => {
  const recipe = `${SITE}pages: { about: { title: About }, draft: { title: Draft, status: draft } }
redirects:
  - { from: /about, to: / }
  - { from: /draft, to: / }
  - { from: /account/, to: / }
`
  t.deepEqual(await lines(t, recipe), [
    'warning path_taken recipe.yaml:7:13 page "about" is served at /about, so this redirect never applies → Remove the redirect, or choose another path',
    'warning path_taken recipe.yaml:9:13 module "identity" is served at /account/, so this redirect never applies → Remove the redirect, or choose another path',
  ])
})

test('rejects an earlier slug that another page still has', async t => {
  const recipe = `${SITE}pages:\n  about: { title: About }\n  company: { title: Company, was: about }\n`
  t.deepEqual(await lines(t, recipe), [
    'error rule_violated recipe.yaml:7:35 Page "about" is still declared → Remove that page, or remove was',
  ])
})
