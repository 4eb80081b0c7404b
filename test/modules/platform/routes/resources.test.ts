import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import test from 'ava'
import type { ListedResource } from '../../../../modules/platform/records/resource.ts'
import { type Client, startTestKernel } from '../../../../testing/index.ts'
import { withPeople } from '../../../fixtures/with-people.ts'
import { promote } from '../fixtures.ts'

const { kernel, ada } = withPeople(
  test,
  {
    recipe: {
      locales: { default: 'en', available: ['en', 'de'] },
      modules: { identity: {}, comms: { transport: 'mailbox', from: 'Test <test@example.test>' }, content: {} },
    },
    alone: true,
  },
  { ada: 'owner' },
)

async function resourcesOf(client: Client, language = 'en'): Promise<Map<string, ListedResource>> {
  const { body } = await client.get('/v1/platform/resources', {
    headers: { 'accept-language': language },
  })
  return new Map(body.data.map(resource => [resource.id, resource]))
}

test('compresses the list, which has no secrets, and no other reply of the API', async t => {
  const encodingOf = async (path: string) => {
    const headers = { cookie: ada.cookie, 'x-tenant-id': ada.tenantId, 'accept-encoding': 'br' }
    const { status, headers: received } = await fetch(kernel.url + path, { headers })
    t.is(status, 200)
    return received.get('content-encoding')
  }
  t.is(await encodingOf('/v1/platform/resources'), 'br')
  t.is(await encodingOf('/v1/content/pages?limit=200'), null)
})

test('lists resources with their operations as in the API document', async t => {
  const pages = (await resourcesOf(ada)).get('content.pages')
  t.is(pages?.title, 'Pages')
  t.is(pages?.key, 'id')
  t.deepEqual(pages?.operations.get, { id: 'getPage', method: 'GET', path: '/v1/content/pages/{id}' })
  t.deepEqual(pages?.operations.create, { id: 'createPage', method: 'POST', path: '/v1/content/pages' })
  t.is(pages?.labels.publishedAt, 'Published')
  t.deepEqual(pages?.relations, [{ resource: 'content.versions', parameters: { id: 'id' } }])
  t.deepEqual(pages?.actions[1], {
    id: 'unpublishPage',
    method: 'POST',
    path: '/v1/content/pages/{id}/unpublish',
    title: 'Unpublish',
    danger: true,
    confirm: 'Visitors can no longer read this page. Unpublish it?',
    when: { status: ['scheduled', 'published'] },
    on: 'record',
    body: {},
    isButton: false,
    done: null,
    labels: {},
    hints: {},
    states: {},
  })
})

test("offers pages in the operator's workspace only", async t => {
  t.false((await resourcesOf(ada)).get('content.pages')?.offered)
  const admin = await promote(kernel, await kernel.register('admin@example.test'))
  t.true((await resourcesOf(admin)).get('content.pages')?.offered)
})

test('translates titles', async t => {
  const pages = (await resourcesOf(ada, 'de')).get('content.pages')
  t.is(pages?.title, 'Seiten')
  t.is(pages?.actions[0]?.title, 'Veröffentlichen')
  t.is(pages?.labels.publishedAt, 'Veröffentlicht')
})

test('translates titles to a language of the console that the product does not have', async t => {
  const kernel = await startTestKernel({ recipe: { modules: { identity: {}, content: {} } } })
  t.teardown(() => kernel.stop())
  const ada = await kernel.register('ada@example.test')
  t.is((await resourcesOf(ada, 'de')).get('content.pages')?.title, 'Seiten')
  t.is((await resourcesOf(ada, 'fr')).get('content.pages')?.title, 'Pages')
})

test('leaves out operations that the caller may not call', async t => {
  const { body } = await ada.post<{ key: string }>('/v1/identity/api-keys', {
    name: 'reader',
    permissions: ['content.page.read', 'content.page.update'],
  })
  const visible = await resourcesOf(kernel.as(body.key))
  t.deepEqual(
    [...visible.keys()].filter(id => id.startsWith('content.')),
    ['content.pages', 'content.versions'],
  )
  t.deepEqual(Object.keys(visible.get('content.pages')?.operations ?? {}), ['list', 'get', 'update'])
  t.deepEqual(visible.get('content.pages')?.actions, [])
})

test('leaves out relations to lists that the caller may not call', async t => {
  const given = { name: 'visitor', permissions: ['content.page.read'] }
  const { body } = await ada.post<{ key: string }>('/v1/identity/api-keys', given)
  t.deepEqual((await resourcesOf(kernel.as(body.key))).get('content.pages')?.relations, [])
})

test('leaves out lists that API keys may not call', async t => {
  const folder = await mkdtemp(join(tmpdir(), 'larder-resources-'))
  t.teardown(() => rm(folder, { recursive: true }))
  await writeFile(
    join(folder, 'drawers.js'),
    `import { defineModule, listOf, route, Type } from '@larder-dev/larder/kernel'
export default defineModule({
  name: 'drawers',
  routes: () => [route({
    method: 'get', path: '/drawers', operationId: 'listDrawers', summary: 'Lists drawers.', allow: 'user', apiKeys: false,
    replies: { 200: listOf(Type.Object({ name: Type.String() })) },
    handle: async () => ({ data: [], nextCursor: null }),
  })],
  resources: () => [{
    name: 'drawers', title: 'Drawers', singular: 'Drawer', label: 'name', key: 'name',
    operations: { list: 'listDrawers' }, columns: ['name'],
  }],
})
`,
  )
  const recipe = { modules: { identity: {}, drawers: { use: join(folder, 'drawers.js') } } }
  const kernel = await startTestKernel({ recipe, folder })
  t.teardown(() => kernel.stop())
  const ada = await kernel.register('ada@example.test')
  t.true((await resourcesOf(ada)).has('drawers.drawers'))
  t.false((await resourcesOf(kernel.as(ada.apiKey))).has('drawers.drawers'))
})

test('refuses callers who are not signed in', async t => {
  const { status } = await kernel.get('/v1/platform/resources')
  t.is(status, 401)
})

test('a module with a mistake in a resource fails the start, with its name', async t => {
  const folder = await mkdtemp(join(tmpdir(), 'larder-resources-'))
  await writeFile(
    join(folder, 'shelves.js'),
    `import { defineModule } from '@larder-dev/larder/kernel'
export default defineModule({
  name: 'shelves',
  resources: () => [{ name: 'shelves', title: 'Shelves', singular: 'Shelf', label: 'name', operations: { list: 'listShelves' }, columns: [] }],
})
`,
  )
  await t.throwsAsync(
    startTestKernel({ recipe: { modules: { shelves: { use: join(folder, 'shelves.js') } } }, folder }),
    { message: /Resource 'shelves' of module 'shelves': No route has the operationId 'listShelves'/ },
  )
  await rm(folder, { recursive: true })
})

test('translates the words of create buttons', async t => {
  const titles = async (language: string) => {
    const { body } = await ada.get('/v1/platform/resources', { headers: { 'accept-language': language } })
    return body.data.flatMap(({ id, createTitle }) => (id.startsWith('comms.') && createTitle ? [createTitle] : []))
  }
  t.deepEqual(await titles('de'), ['E-Mail senden', 'Adresse sperren'])
  t.deepEqual(await titles('en'), ['Send email', 'Block address'])
})
