import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import test, { type ExecutionContext } from 'ava'
import { stringify } from 'yaml'
import { checkRecipe } from '../../../../bin/composition.ts'
import type { RecipeChange } from '../../../../kernel/index.ts'
import { type Diagnostic, RecipeError } from '../../../../kernel/recipe/index.ts'
import { readRecipe } from '../../../../kernel/recipe/read.ts'
import { plan } from '../../../../modules/features/recipe/flags.ts'
import type { Person, TestKernel } from '../../../../testing/index.ts'
import { add, evaluate, FEATURES, type Feature, startFixtures } from '../fixtures.ts'

/** Starts kernels one after the other on one database, each with its own flags, without billing. */
async function series(t: ExecutionContext, features: object) {
  const modules = { identity: {}, features: {} }
  const first = await startFixtures({ modules, features })
  let current: TestKernel = first.kernel
  t.teardown(async () => {
    if (current !== first.kernel) await current.stop()
    await first.stop()
  })
  const ports = () => current.kernel.ports
  return {
    first,
    async next(features: object) {
      if (current !== first.kernel) await current.stop()
      current = await first.another({ modules, features })
    },
    as: ({ token }: Person) => current.as(token),
    plan: (features: object): Promise<readonly RecipeChange[]> =>
      plan(ports() as never, {}, { sections: { features } } as never),
    async state() {
      const { rows } = await ports()
        .database.tenant(ports().operator.tenantId)
        .query<{ state: string }>(
          `select (select count(*) from larder_events where type like 'features.%') || ' events, ' ||
             (select sum(revision) from features_flags) || ' revisions' as state`,
        )
      return rows[0]?.state
    },
  }
}

const EDITOR = { default: false, rules: [{ when: { plan: 'pro' }, value: true }] }

test.serial('the same recipe changes nothing, and a changed recipe only its differences', async t => {
  const s = await series(t, { editor: EDITOR, layout: { default: { b: 1, a: [1, { d: 1, c: 2 }] } } })
  const before = await s.state()
  const ada = await s.first.person()
  await s.next({ layout: { default: { a: [1, { c: 2, d: 1 }], b: 1 } }, editor: EDITOR })
  t.is(await s.state(), before)
  t.like((await evaluate(s.as(ada), 'editor')).body, { value: false })
  const changed = { editor: { ...EDITOR, default: true }, added: { default: 'x' } }
  const planned = await s.plan(changed)
  t.deepEqual(planned, [
    { change: 'add', subject: 'feature added', detail: 'default "x"' },
    { change: 'change', subject: 'feature editor', detail: 'default false → true' },
    { change: 'remove', subject: 'feature layout' },
  ])
  t.deepEqual(await s.plan(changed), planned, 'a plan writes nothing')
  await s.next(changed)
  t.deepEqual(await s.plan(changed), [])
  t.like((await evaluate(s.as(ada), 'editor')).body, { value: true })
  t.like((await evaluate(s.as(ada), 'added')).body, { value: 'x' })
  t.is((await evaluate(s.as(ada), 'layout')).status, 404)
})

test.serial('a plan reports affected tenants, and applying it deletes stale overrides', async t => {
  const s = await series(t, { typed: { default: false }, gone: { default: false }, kept: { default: false } })
  const [ada, bob] = [await s.first.person(), await s.first.person()]
  for (const key of ['typed', 'gone', 'kept'])
    for (const person of [ada, bob]) await person.put(`${FEATURES}/${key}/override`, { value: true })
  await add(ada, 'needy', { requires: ['gone'], rules: [{ value: true }] })
  await add(bob, 'later', { default: 'mine' })
  t.like((await evaluate(ada, 'needy')).body, { value: true })
  const changed = { typed: { default: 'text' }, kept: { default: false }, later: { default: 7 } }
  t.deepEqual(await s.plan(changed), [
    {
      change: 'add',
      subject: 'feature later',
      detail: 'default 7',
      breaks: "hides the tenant's own feature with this key in 1 tenant",
    },
    {
      change: 'change',
      subject: 'feature typed',
      detail: 'default false → "text"',
      breaks: 'deletes overrides of the old type in 2 tenants',
    },
    {
      change: 'remove',
      subject: 'feature gone',
      breaks: 'deletes overrides in 2 tenants; features of 1 tenant require it',
    },
  ])
  await s.next(changed)
  t.like((await evaluate(s.as(ada), 'needy')).body, { value: false, metadata: { prerequisite: 'gone' } })
  t.like((await evaluate(s.as(ada), 'typed')).body, { value: 'text' })
  t.like((await evaluate(s.as(ada), 'kept')).body, { value: true })
  t.like((await evaluate(s.as(bob), 'later')).body, { value: 7 })
  t.like((await s.as(bob).get<Feature>(`${FEATURES}/later`)).body, { default: 7, managedBy: 'recipe' })
  await s.next({ gone: { default: false }, kept: { default: false } })
  t.like((await evaluate(s.as(ada), 'gone')).body, { value: false }, 'the override was deleted with the flag')
  t.like((await evaluate(s.as(bob), 'later')).body, { value: 'mine' }, 'the tenant’s own flag is visible again')
})

test.serial('keeps the operator’s edits while the recipe allows them', async t => {
  const banner = (more: object) => ({ banner: { default: 'none', ...more } })
  const s = await series(t, banner({ editable: true }))
  const [ada, operator] = [await s.first.person(), await s.first.operator()]
  await operator.patch(`${FEATURES}/banner`, { default: 'sale' })
  const value = async () => (await evaluate(s.as(ada), 'banner')).body.value
  const renamed = banner({ editable: true, name: 'Banner', default: 'other' })
  t.deepEqual(await s.plan(renamed), [])
  await s.next(renamed)
  t.is(await value(), 'sale')
  const closed = banner({ default: 'other' })
  t.deepEqual(await s.plan(closed), [
    { change: 'change', subject: 'feature banner', detail: 'default "sale" → "other", editable true → false' },
  ])
  await s.next(closed)
  t.is(await value(), 'other')
})

test.serial('the recipe takes over a flag that an operator created for every workspace', async t => {
  const s = await series(t, {})
  const [ada, operator] = [await s.first.person(), await s.first.operator()]
  await operator.post(FEATURES, { key: 'banner', scope: 'product', default: 'sale' })
  const declared = { banner: { default: 'none' } }
  t.deepEqual(await s.plan(declared), [
    {
      change: 'change',
      subject: 'feature banner',
      detail: 'takes over a flag of the operator, default "sale" → "none", editable true → false',
    },
  ])
  await s.next(declared)
  const { body } = await s.as(ada).get<Feature>(`${FEATURES}/banner`)
  t.like(body, { default: 'none', managedBy: 'recipe' })
  t.deepEqual(await s.plan(declared), [])
})

/** The problems that the check of a recipe reports. */
async function problemsOf(t: ExecutionContext, features: object): Promise<readonly Diagnostic[]> {
  const folder = mkdtempSync(join(tmpdir(), 'larder-features-'))
  t.teardown(() => rmSync(folder, { recursive: true, force: true }))
  const file = join(folder, 'recipe.yaml')
  const product = { key: 'test', name: 'Test', publicUrl: 'http://localhost:8080' }
  writeFileSync(file, stringify({ recipe: 1, product, modules: { features: {} }, features }))
  const error = await t.throwsAsync(checkRecipe(readRecipe(file, {})), { instanceOf: RecipeError })
  if (!(error instanceof RecipeError)) return []
  t.true(
    error.problems.every(({ line }) => line > 5),
    'each has its own line',
  )
  return error.problems
}

test('reports all invalid relations between flags at once, with their paths', async t => {
  const found = await problemsOf(t, {
    a: { default: false, requires: ['b'] },
    b: { default: false, requires: [{ key: 'a', value: true }] },
    c: { default: 1, rules: [{ value: 2 }, { value: 'x' }] },
    d: { default: true, entitlement: 'sold', requires: ['nobody', 'c'] },
  })
  t.deepEqual(
    found.map(({ message }) => message),
    [
      "'features.a.requires[0]' creates a cycle: a → b → a",
      "'features.b.requires[0]' creates a cycle: b → a → b",
      "'features.c.rules[1].value' must have the type of the default: number",
      "'features.d.default' must be false: tenants without the entitlement get the default",
      "'features.d.requires[0]' lists an unknown feature: nobody",
      "'features.d.requires[1]' must require a number, the type of c",
    ],
  )
})

test('the schema checks the shape of the section', async t => {
  const found = await problemsOf(t, {
    'no spaces': { default: 1 },
    none: {},
    nil: { default: null },
    word: { default: 1, rollout: 20 },
    when: { default: 1, rules: [{ when: { plan: { like: 'p%' } }, value: 1 }] },
    far: { default: 1, rules: [{ rollout: 120, value: 1 }] },
  })
  for (const start of [
    'features',
    'features.none',
    'features.nil.default',
    'features.word.rollout',
    'features.far.rules[0].rollout',
  ])
    t.true(
      found.some(({ path }) => path.startsWith(start)),
      start,
    )
  t.true(
    found.some(({ path }) => path.startsWith('features.when.rules[0].when.plan')),
    'features.when',
  )
})
