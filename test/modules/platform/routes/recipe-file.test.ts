import { appendFile, readFile, writeFile } from 'node:fs/promises'
import { hostname } from 'node:os'
import { join } from 'node:path'
import test from 'ava'
import { startFixture } from '../fixtures.ts'

interface Report {
  readonly status: string
  readonly file: string
  readonly recipe: { readonly product: { readonly name: string }; readonly modules: Record<string, unknown> } | null
  readonly problems: readonly {
    readonly code: string
    readonly file: string
    readonly line: number
    readonly message: string
  }[]
  readonly process: string
  readonly startedAt: string
}

test.serial('compares the recipe file with the recipe that runs', async t => {
  const { folder, admin, ada, bob, kernel, stop } = await startFixture({}, '  webhooks: {}\n')
  t.teardown(stop)
  const file = join(folder, 'recipe.yaml')
  const original = await readFile(file, 'utf8')
  const check = async () => (await admin.get<Report>('/v1/platform/recipe/file')).body

  const { process: name, startedAt, ...current } = await check()
  t.deepEqual(current, { status: 'current', file, recipe: null, problems: [] } as never)
  t.true(name.includes(hostname()) && Date.parse(startedAt) <= Date.now())

  await appendFile(file, '# A comment changes nothing.\n')
  t.is((await check()).status, 'current')

  await writeFile(file, original.replace('name: Test', 'name: Renamed').replace('  webhooks: {}\n', ''))
  const [changed, again] = await Promise.all([check(), check()])
  t.deepEqual(again, changed)
  t.is(changed.status, 'changed')
  t.is(changed.recipe?.product.name, 'Renamed')
  t.false('webhooks' in (changed.recipe?.modules ?? {}))
  t.deepEqual(changed.recipe?.modules.flaky, { use: './flaky.js', options: { password: '***' } })
  const running = await admin.get<NonNullable<Report['recipe']>>('/v1/platform/recipe')
  t.is(running.body.product.name, 'Test', 'what runs stays')

  await writeFile(file, original.replace('password: hunter2', 'password: hunter3'))
  t.is((await check()).status, 'changed', 'a secret')

  await writeFile(file, original.replace('password: hunter2', 'passwort: hunter2'))
  const invalid = await check()
  t.is(invalid.status, 'invalid')
  t.is(invalid.recipe, null)
  const place = invalid.problems.find(({ code }) => code === 'unknown_key')
  t.deepEqual({ file: place?.file, line: place?.line }, { file: 'recipe.yaml', line: 6 })

  await writeFile(file, 'modules: [')
  t.is((await check()).problems[0]?.code, 'invalid_yaml')

  await writeFile(file, original)
  t.is((await check()).status, 'current')

  t.is((await admin.get('/v1/platform/recipe/file?x=1')).status, 400)
  for (const [who, status] of [
    [ada, 403],
    [bob.with({ 'x-tenant-id': admin.tenantId }), 403],
    [kernel, 401],
  ] as const)
    t.is((await who.get('/v1/platform/recipe/file')).status, status)
})

test.serial('masks secrets and values from the environment in problems', async t => {
  const { folder, admin, stop } = await startFixture({ PUBLIC: 'geheim', SITE: 'https://ada:geheim2@acme.example' })
  t.teardown(stop)
  const file = join(folder, 'recipe.yaml')
  const original = await readFile(file, 'utf8')
  await writeFile(
    file,
    original
      .replace('"http://localhost:8080"', `"\${PUBLIC}"`)
      .replace('transport: mailbox', `transport: "\${SITE}"`)
      .replace('password: hunter2', 'password: { hunter2: true }'),
  )
  const { body } = await admin.get('/v1/platform/recipe/file')
  t.is(body.status, 'invalid')
  t.true(body.problems.length >= 3)
  t.notRegex(JSON.stringify(body), /geheim/)
})
