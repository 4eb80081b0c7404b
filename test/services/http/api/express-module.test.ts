import { fileURLToPath } from 'node:url'
import test from 'ava'
import { startTestKernel } from '../../../../testing/index.ts'

test('serves the Express application of a module below /x/<module>', async t => {
  const use = fileURLToPath(new URL('./board/module.js', import.meta.url))
  const kernel = await startTestKernel({ recipe: { modules: { identity: {}, board: { use } } } })
  t.teardown(() => kernel.stop())
  const ada = await kernel.register('ada@acme.test')
  t.deepEqual((await ada.get<Record<string, unknown>>('/x/board/jobs')).body, { now: true, user: ada.userId })
  t.is((await kernel.get('/x/board/nowhere')).status, 404)
})
