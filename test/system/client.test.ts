/** A generated client in a page of the product. */
import { fileURLToPath } from 'node:url'
import test from 'ava'
import { startTestKernel } from '../../testing/index.ts'
import { freePort } from '../fixtures/free-port.ts'
import { waitFor } from '../fixtures/wait.ts'
import { png } from '../modules/media/files.ts'
import { openClientPage } from './client-page.ts'

const boards = fileURLToPath(new URL('../services/topics/boards/module.js', import.meta.url))
const PAGE = new URL('./client-page.html', import.meta.url)

test('signs in, lists, uploads and subscribes in a page', async t => {
  const port = await freePort()
  const url = `http://127.0.0.1:${port}`
  const recipe = {
    product: { key: 'acme', name: 'Acme', publicUrl: url },
    modules: { identity: {}, content: {}, media: {}, boards: { use: boards } },
  }
  const kernel = await startTestKernel({ env: { PORT: String(port), PUBLIC_URL: url }, recipe })
  t.teardown(() => kernel.stop())
  const ada = await kernel.register('ada@example.test')
  await ada.post('/v1/content/pages', { slug: 'one', title: 'One' })

  const page = await openClientPage(t, { url, file: PAGE, recipe, email: ada.email })
  const shown = (id: string) => page.locator(`#${id}`).textContent()
  t.is(await waitFor(() => shown('pages')), 'One')
  await page.setInputFiles('[name=file]', {
    name: 'dot.png',
    mimeType: 'image/png',
    buffer: await png(),
  })
  t.is(await waitFor(() => shown('file')), 'dot.png ready')
  await waitFor(async () => (await shown('state')) === 'subscribed')
  kernel.kernel.ports.topics.publish('boards.cards', { tenantId: ada.tenantId, key: 'a' }, { title: 'Hello' })
  t.is(await waitFor(() => shown('card')), 'Hello')
})
