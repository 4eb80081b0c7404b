import test from 'ava'
import { rawRoute } from '../../../kernel/contract/route.ts'
import { startTestServer } from './fixtures.ts'

const PATHS = ['/files/*', '/files/:id', '/files/:id/parts', '/files/assets/:file', '/files/assets/parts', '/files/new']

for (const [order, paths] of [
  ['general paths first', PATHS],
  ['special paths first', PATHS.toReversed()],
] as const)
  test(`a request reaches the route that its path matches best, ${order}`, async t => {
    const rawRoutes = paths.map(path =>
      rawRoute({
        method: 'get',
        path,
        allow: 'public',
        docs: { replies: { 200: { 'application/json': null } } },
        handle: async ({ params }, response) => void response.json({ path, params }),
      }),
    )
    const server = await startTestServer({ rawRoutes })
    t.teardown(() => server.stop())
    const handledBy = async (path: string) => (await server.get(path)).body.path
    t.is(await handledBy('/files/new'), '/files/new')
    t.is(await handledBy('/files/old'), '/files/:id')
    t.is(await handledBy('/files/old/parts'), '/files/:id/parts')
    t.is(await handledBy('/files/assets/a.js'), '/files/assets/:file')
    t.is(await handledBy('/files/assets/parts'), '/files/assets/parts')
    t.is(await handledBy('/files/assets/a/b'), '/files/*')
    // Parameters have at most 512 characters.
    t.is(await handledBy(`/files/assets/${'x'.repeat(600)}`), '/files/*')
    t.deepEqual((await server.get('/files/a%2Fb')).body.params, { id: 'a/b' })
  })
