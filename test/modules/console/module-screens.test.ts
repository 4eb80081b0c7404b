/** Screens that modules add to the console: who may list and load them. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import test from 'ava'
import { type Person, startTestKernel, type TestKernel } from '../../../testing/index.ts'
import { colleague, role } from '../identity/fixtures.ts'

const STOCK = `{ name: 'stock', title: { en: 'Stock', de: 'Bestand' }, permission: 'shop.stock.read', file: file('stock.tsx') }`
const BROKEN = `{ name: 'broken', title: { en: 'Broken', de: 'Kaputt' }, permission: 'shop.stock.read', file: file('broken.tsx') }`
const CARD = `{ name: 'invited', title: { en: 'Invited', de: 'Eingeladen' }, permission: 'shop.stock.read', count: 'platform.events', filter: { state: 'dead' } }`
const SOURCES = {
  'stock.tsx': 'import { Page } from \'@larder-dev/larder/console\'\nexport default () => <Page title="Stock">1</Page>',
  'broken.tsx': 'export default () => <p>',
}

let folder: string
let kernel: TestKernel
let ada: Person
/** The screens of ada's workspace. */
let screens: string
test.before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'larder-screens-'))
  await Promise.all(Object.entries(SOURCES).map(([name, text]) => writeFile(join(folder, name), text)))
  kernel = await startTestKernel(await moduleWith('shop', [STOCK, BROKEN], [CARD]))
  ada = await kernel.register('ada@example.test')
  const { body } = await ada.get<{ workspace: { slug: string } }>('/v1/me')
  screens = `/console/screens/${body.workspace.slug}/shop`
})
test.after.always(async () => {
  await kernel?.stop()
  await rm(folder, { recursive: true })
})

/** A recipe with a module that declares these screens. */
async function moduleWith(name: string, screens: readonly string[], cards: readonly string[] = []) {
  const use = join(folder, `${name}.js`)
  await writeFile(
    use,
    `import { defineModule } from '@larder-dev/larder/kernel'
const file = name => new URL(name, import.meta.url)
export default defineModule({
  name: 'shop',
  permissions: { 'shop.stock.read': 'View the stock' },
  screens: () => [${screens.join()}],
  homeCards: () => [${cards.join()}],
})`,
  )
  return { recipe: { modules: { identity: {}, console: {}, shop: { use } } }, folder }
}

const AT_PATH = { module: 'shop', icon: null, group: null, resource: null, view: null, tab: null, page: null }

test('lists screens in the language of the request, and builds their script', async t => {
  const { body } = await ada.get('/v1/console/screens', { headers: { 'accept-language': 'de' } })
  t.deepEqual(body.data, [
    { ...AT_PATH, name: 'stock', title: 'Bestand', path: 'stock' },
    { ...AT_PATH, name: 'broken', title: 'Kaputt', path: 'broken' },
  ])
  const { status, headers, body: text } = await ada.get<string>(`${screens}/stock`)
  t.is(status, 200)
  t.regex(headers.get('content-type') ?? '', /^text\/javascript/)
  t.regex(text, /from ?"\/console\/assets\/shared-[\w-]+\.js"/)
  t.notRegex(text, /react\.production/)
})

test('neither lists nor serves a screen to a person without its permission, or of another workspace', async t => {
  const path = `${screens}/stock`
  await role(ada, 'team.reader', ['identity.member.read'])
  const { person } = await colleague(kernel, ada, ['team.reader'])
  const reader = person.with({ 'x-tenant-id': ada.tenantId })
  t.deepEqual((await reader.get('/v1/console/screens')).body.data, [])
  t.is((await reader.get(path)).status, 404)
  const eve = await kernel.register('eve@example.test')
  t.is((await eve.get(path)).status, 404)
  t.is((await ada.get(`${path}s`)).status, 404)
  t.is((await kernel.get(path)).status, 401)
})

test('lists the cards of modules to a person who has their permission and may list their records', async t => {
  const { body } = await ada.get<{ data: unknown[] }>('/v1/console/home', { headers: { 'accept-language': 'de' } })
  t.deepEqual(body.data, [
    {
      id: 'shop.invited',
      kind: 'count',
      title: 'Eingeladen',
      resource: 'platform.events',
      filters: [{ name: 'filter[state]', value: 'dead' }],
      by: null,
      time: null,
      sum: null,
    },
  ])
  await role(ada, 'team.stock', ['shop.stock.read'])
  await role(ada, 'team.watcher', ['platform.event.read'])
  for (const roles of [['team.stock'], ['team.watcher']]) {
    const { person } = await colleague(kernel, ada, roles)
    const one = person.with({ 'x-tenant-id': ada.tenantId })
    t.deepEqual((await one.get<{ data: unknown[] }>('/v1/console/home')).body.data, [], roles.join())
  }
})

test('a card of an unknown list, and two cards of one name, fail the start', async t => {
  const unknown = CARD.replace('platform.events', 'platform.evnts')
  await t.throwsAsync(
    startTestKernel(await moduleWith('cards', [], [CARD, unknown, unknown.replace('invited', 'other')])),
    {
      message:
        /the card shop\.invited: another card of the module already has this name[\s\S]*the card shop\.other: no module of the product has the resource `platform\.evnts`/,
    },
  )
})

test('the script of a screen that cannot be built throws the place of the mistake', async t => {
  t.regex((await ada.get<string>(`${screens}/broken`)).body, /^throw new Error\(".*broken\.tsx:1:\d+ /)
})

test('two screens of one name, and an impossible name, fail the start', async t => {
  const wrong = STOCK.replace("'stock'", "'Stock'")
  await t.throwsAsync(startTestKernel(await moduleWith('wrong', [STOCK, STOCK, wrong])), {
    message:
      /the screen shop\.stock: a screen or a resource of the module already has this name[\s\S]*the screen shop\.Stock: its name must be/,
  })
})

/** A screen of another kind. */
const screen = (fields: string) => `{ permission: 'shop.stock.read', ${fields} }`
const FILE = "file: file('stock.tsx')"

test('lists a path with parameters, a replaced screen, a tab and a link, and serves the scripts of the first three', async t => {
  const kinds = await startTestKernel(
    await moduleWith('kinds', [
      screen(`name: 'level', title: 'Level', path: 'stock/$id/level', ${FILE}`),
      screen(`resource: 'identity.people', view: 'list', ${FILE}`),
      screen(`resource: 'identity.people', tab: 'stock', title: { en: 'Stock', de: 'Bestand' }, ${FILE}`),
      screen(`page: '/checkout', title: 'Checkout', icon: 'store', group: 'money'`),
    ]),
  )
  t.teardown(() => kinds.stop())
  const bob = await kinds.register('bob@example.test')
  const { body } = await bob.get<{ data: unknown[] }>('/v1/console/screens')
  const none = {
    module: 'shop',
    icon: null,
    group: null,
    path: null,
    resource: null,
    view: null,
    tab: null,
    page: null,
  }
  t.deepEqual(body.data, [
    { ...none, name: 'level', title: 'Level', path: 'stock/$id/level' },
    { ...none, name: 'identity.people.list', title: '', resource: 'identity.people', view: 'list' },
    { ...none, name: 'identity.people.tab.stock', title: 'Stock', resource: 'identity.people', tab: 'stock' },
    { ...none, name: '/checkout', title: 'Checkout', icon: 'store', group: 'money', page: '/checkout' },
  ])
  const me = await bob.get<{ workspace: { slug: string } }>('/v1/me')
  const scripts = `/console/screens/${me.body.workspace.slug}/shop`
  for (const name of ['level', 'identity.people.list', 'identity.people.tab.stock'])
    t.is((await bob.get(`${scripts}/${name}`)).status, 200, name)
  t.is((await bob.get(`${scripts}/${encodeURIComponent('/checkout')}`)).status, 404)
})
