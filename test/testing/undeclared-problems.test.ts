import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import test from 'ava'
import { startTestKernel } from '../../testing/index.ts'

const MODULE = `
import { common, defineModule, route } from '@larder-dev/larder/kernel'

const get = { method: 'get', allow: 'public', replies: { 204: null } } as const
const handle = () => Promise.reject(common.conflict())
export default defineModule({
  name: 'tills',
  routes: () => [
    route({ ...get, path: '/tills/listed', problems: [common.conflict], handle }),
    route({ ...get, path: '/tills/unlisted', handle }),
  ],
})
`

test('stop() rejects and cleans up if a route has returned a problem that it does not list', async t => {
  const folder = await mkdtemp(join(tmpdir(), 'larder-tills-'))
  t.teardown(() => rm(folder, { recursive: true, force: true }))
  await writeFile(join(folder, 'tills.ts'), MODULE)
  const recipe = { modules: { tills: { use: './tills.ts' } } }
  const start = () => startTestKernel({ folder, recipe })

  const first = await start()
  t.is((await first.get('/v1/tills/listed')).status, 409)
  await first.stop()

  const second = await start()
  t.is((await second.get('/v1/tills/unlisted')).status, 409)
  await t.throwsAsync(second.stop(), { message: /GET \/v1\/tills\/unlisted: conflict/ })
  await t.throwsAsync(fetch(second.url), undefined, 'The server has stopped.')
})
