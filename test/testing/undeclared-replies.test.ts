import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import test, { type ExecutionContext } from 'ava'
import { startTestKernel, type TestKernel } from '../../testing/index.ts'

const MODULE = `
import { common, defineModule, route } from '@larder-dev/larder/kernel'
import { Type } from 'typebox'

const get = { method: 'get', allow: 'public' } as const
const refuse = () => Promise.reject(common.conflict())
const Till = Type.Object({ id: Type.String() })
export default defineModule({
  name: 'tills',
  routes: () => [
    route({ ...get, path: '/tills/listed', replies: { 204: null }, problems: [common.conflict], handle: refuse }),
    route({ ...get, path: '/tills/unlisted', replies: { 204: null }, handle: refuse }),
    route({ ...get, path: '/tills/described', replies: { 200: Till }, handle: async () => ({ id: 'a' }) }),
    route({ ...get, path: '/tills/larger', replies: { 200: Till }, handle: async () => ({ id: 'a', pin: '1' }) }),
  ],
})
`

async function startTills(t: ExecutionContext): Promise<TestKernel> {
  // In the repository, so that the module finds its imports.
  const folder = await mkdtemp(fileURLToPath(new URL('tills-', import.meta.url)))
  t.teardown(() => rm(folder, { recursive: true, force: true }))
  await writeFile(join(folder, 'tills.ts'), MODULE)
  return startTestKernel({ folder, recipe: { modules: { tills: { use: './tills.ts' } } } })
}

test('stop() resolves if routes have returned what they declare', async t => {
  const kernel = await startTills(t)
  t.is((await kernel.get('/v1/tills/listed')).status, 409)
  t.is((await kernel.get('/v1/tills/described')).status, 200)
  await t.notThrowsAsync(kernel.stop())
})

for (const [path, status, what, message] of [
  ['unlisted', 409, 'a problem that it does not list', /GET \/v1\/tills\/unlisted: conflict/],
  ['larger', 200, 'a field that its reply schema does not have', /GET \/v1\/tills\/larger 200: pin/],
] as const)
  test(`stop() rejects and cleans up if a route has returned ${what}`, async t => {
    const kernel = await startTills(t)
    t.is((await kernel.get(`/v1/tills/${path}`)).status, status)
    await t.throwsAsync(kernel.stop(), { message })
    await t.throwsAsync(fetch(kernel.url), undefined, 'The server has stopped.')
  })
