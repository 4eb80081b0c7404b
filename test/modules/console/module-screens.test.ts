/** Screens that modules add to the console: who may list and load them. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import test, { type ExecutionContext } from 'ava'
import { startTestKernel } from '../../../testing/index.ts'
import { colleague, role } from '../identity/fixtures.ts'

/** A folder with a module that declares these screens, and their sources. */
async function moduleWith(t: ExecutionContext, screens: string, sources: Readonly<Record<string, string>> = {}) {
  const folder = await mkdtemp(join(tmpdir(), 'larder-screens-'))
  t.teardown(() => rm(folder, { recursive: true }))
  const source = `import { defineModule } from '@larder-dev/larder/kernel'
const file = name => new URL(name, import.meta.url)
export default defineModule({
  name: 'shop',
  permissions: { 'shop.stock.read': 'View the stock' },
  screens: () => [${screens}],
})`
  await Promise.all(
    Object.entries({ 'module.js': source, ...sources }).map(([name, text]) => writeFile(join(folder, name), text)),
  )
  const recipe = { modules: { identity: {}, console: {}, shop: { use: join(folder, 'module.js') } } }
  return { recipe, folder }
}
const STOCK = `{ name: 'stock', title: { en: 'Stock', de: 'Bestand' }, permission: 'shop.stock.read', file: file('stock.tsx') }`

async function start(t: ExecutionContext, source: string) {
  const kernel = await startTestKernel(await moduleWith(t, STOCK, { 'stock.tsx': source }))
  t.teardown(() => kernel.stop())
  const ada = await kernel.register('ada@example.test')
  const { body } = await ada.get<{ workspace: { slug: string } }>('/v1/me')
  return { kernel, ada, path: `/console/screens/${body.workspace.slug}/shop/stock` }
}

test('lists screens in the language of the request, and builds their script', async t => {
  const { ada, path } = await start(
    t,
    'import { Page } from \'@larder-dev/larder/console\'\nexport default () => <Page title="Stock">1</Page>',
  )
  const { body } = await ada.get<{ data: unknown[] }>('/v1/console/screens', { headers: { 'accept-language': 'de' } })
  t.deepEqual(body.data, [{ module: 'shop', name: 'stock', title: 'Bestand', icon: null }])
  const { status, headers, body: text } = await ada.get<string>(path)
  t.is(status, 200)
  t.regex(headers.get('content-type') ?? '', /^text\/javascript/)
  t.regex(text, /from ?"\/console\/assets\/shared-[\w-]+\.js"/)
  t.notRegex(text, /react\.production/)
})

test('neither lists nor serves a screen to a person without its permission, or of another workspace', async t => {
  const { kernel, ada, path } = await start(t, 'export default () => null')
  await role(ada, 'team.reader', ['identity.member.read'])
  const { person } = await colleague(kernel, ada, ['team.reader'])
  const reader = person.with({ 'x-tenant-id': ada.tenantId })
  t.deepEqual((await reader.get<{ data: unknown[] }>('/v1/console/screens')).body.data, [])
  t.is((await reader.get(path)).status, 404)
  const eve = await kernel.register('eve@example.test')
  t.is((await eve.get(path)).status, 404)
  t.is((await ada.get(`${path}s`)).status, 404)
  t.is((await kernel.get(path)).status, 401)
})

test('the script of a screen that cannot be built throws the place of the mistake', async t => {
  const { ada, path } = await start(t, 'export default () => <p>')
  t.regex((await ada.get<string>(path)).body, /^throw new Error\(".*stock\.tsx:1:\d+ /)
})

test('two screens of one name, and an impossible name, fail the start', async t => {
  const wrong = STOCK.replace("'stock'", "'Stock'")
  await t.throwsAsync(startTestKernel(await moduleWith(t, [STOCK, STOCK, wrong].join())), {
    message:
      /the screen shop\.stock: a screen or a resource of the module already has this name[\s\S]*the screen shop\.Stock: its name must be/,
  })
})
