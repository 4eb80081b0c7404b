/** The recipe and the module of the README, as a reader writes them. */
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import test from 'ava'
import { packageRoot } from '../../kernel/base/package-root.ts'
import { startTestKernel } from '../../testing/index.ts'
import { colleague } from '../modules/identity/fixtures.ts'

const root = fileURLToPath(packageRoot)

test("the README's recipe and module run as it says", async t => {
  const readme = await readFile(join(root, 'README.md'), 'utf8')
  const block = (language: string): string =>
    new RegExp(`^\`\`\`${language}\n([\\s\\S]*?)^\`\`\`$`, 'm').exec(readme)?.[1] ?? ''
  // Inside the package, so that the module finds it by its name.
  const folder = await mkdtemp(join(root, 'dist/readme-'))
  t.teardown(() => rm(folder, { recursive: true }))
  await mkdir(join(folder, 'modules/quotes'), { recursive: true })
  await writeFile(join(folder, 'modules/quotes/module.js'), block('js'))
  const recipe = join(folder, 'recipe.yaml')
  const text = block('yaml')
  await writeFile(recipe, text.replace('console: {}', 'console: {}, quotes: { use: ./modules/quotes }'))
  t.true((await readFile(recipe, 'utf8')).includes('quotes'))

  const kernel = await startTestKernel({ recipe })
  t.teardown(() => kernel.stop())
  t.deepEqual((await kernel.get('/v1/quotes/3')).body, { price: 27000 })
  const owner = await kernel.register('ada@example.test')
  const [ben, cleo] = await Promise.all([1, 2].map(() => colleague(kernel, owner, ['tenant.member'])))
  const tickets = '/v1/data/tickets'
  const of = (person = ben) => kernel.as(person?.person.token ?? '', owner.tenantId)
  t.is((await of().post(tickets, { subject: 'The lid is loose' })).status, 201)
  const subjects = async (client: ReturnType<typeof of>): Promise<string[]> =>
    (await client.get<{ data: { subject: string }[] }>(tickets)).body.data.map(({ subject }) => subject)
  t.deepEqual(await subjects(of()), ['The lid is loose'])
  t.deepEqual(await subjects(of(cleo)), [])
  t.deepEqual(await subjects(owner), ['The lid is loose'])
  t.deepEqual(await subjects(await kernel.register('eve@example.test')), [])
})
