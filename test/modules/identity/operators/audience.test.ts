import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import test, { type ExecutionContext } from 'ava'
import { pino } from 'pino'
import { stringify } from 'yaml'
import { checkFile, readSettings } from '../../../../bin/composition.ts'
import { planRecipe } from '../../../../kernel/runtime/index.ts'
import { startTestKernel, type TestKernel } from '../../../../testing/index.ts'

const recipeOf = (audience: string, role?: string) => ({
  recipe: 1,
  product: { key: 'test', name: 'Test', publicUrl: 'http://localhost:8080', audience },
  modules: { identity: role === undefined ? {} : { registration: { role } } },
  ...(role !== undefined && { roles: { [role]: { name: 'Patient', permissions: [] } } }),
})

/** A running product, on whose database other recipes start. */
async function running(t: ExecutionContext, recipe: object): Promise<TestKernel> {
  const kernel = await startTestKernel({ recipe: recipe as Record<string, unknown> })
  t.teardown(() => kernel.stop())
  return kernel
}
const startOn = async ({ databaseUrl }: TestKernel, recipe: object): Promise<TestKernel> =>
  startTestKernel({ recipe: recipe as Record<string, unknown>, database: databaseUrl })

async function planOn(t: ExecutionContext, { databaseUrl }: TestKernel, recipe: object) {
  const folder = mkdtempSync(join(tmpdir(), 'larder-recipe-'))
  t.teardown(() => rmSync(folder, { recursive: true }))
  const file = join(folder, 'recipe.yaml')
  writeFileSync(file, stringify(recipe))
  const env = { DATABASE_URL: databaseUrl, LARDER_DATA: folder, LARDER_SECRET: 'a secret that only tests may know of' }
  const { changes } = await planRecipe({
    checked: await checkFile(file, env),
    settings: readSettings(env),
    log: pino({ level: 'silent' }),
  })
  return changes.filter(({ subject }) => /audience|registration/.test(subject))
}

test('the audience can be changed until people sign up', async t => {
  const kernel = await running(t, recipeOf('teams'))
  t.deepEqual(
    (await planOn(t, kernel, recipeOf('people'))).map(({ detail, breaks }) => [detail, breaks]),
    [['teams → people', undefined]],
  )
  const other = await startOn(kernel, recipeOf('people'))
  await other.stop()
  await t.notThrowsAsync(async () => (await startOn(kernel, recipeOf('teams'))).stop())
})

test('a product of teams with people in it refuses to become one of people, and the plan says why', async t => {
  const kernel = await running(t, recipeOf('teams'))
  await kernel.register('ada@example.test')
  const [change] = await planOn(t, kernel, recipeOf('people'))
  t.is(change?.breaks, '1 people have signed up to a product of teams; the product cannot start')
  await t.throwsAsync(startOn(kernel, recipeOf('people')), { message: /have signed up to a product of/ })
})

test('a product of people with customers refuses to become one of teams, and the plan says why', async t => {
  const kernel = await running(t, recipeOf('people'))
  await kernel.register('ada@example.test')
  const [change] = await planOn(t, kernel, recipeOf('teams'))
  t.is(change?.breaks, '1 people have signed up to a product of people; the product cannot start')
  await t.throwsAsync(startOn(kernel, recipeOf('teams')), { message: /have signed up to a product of/ })
})

test('customers follow when the role of the registration changes', async t => {
  const kernel = await running(t, recipeOf('people'))
  const ada = await kernel.register('ada@example.test')
  const wanted = recipeOf('people', 'tenant.patient')
  const [change] = await planOn(t, kernel, wanted)
  t.is(change?.detail, 'tenant.customer → tenant.patient, which 1 customers get')
  const other = await startOn(kernel, wanted)
  const { body } = await other.as(ada.token).get<{ memberships: { roles: string[] }[] }>('/v1/auth/me')
  t.deepEqual(body.memberships[0]?.roles, ['tenant.patient'])
  await other.stop()
})
