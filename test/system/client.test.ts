/** A generated client in a page of the product. */
import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import test from 'ava'
import { startTestKernel, TEST_PASSWORD } from '../../testing/index.ts'
import { clientSource, toJavaScript } from '../client/fixtures.ts'
import { waitFor } from '../fixtures/wait.ts'
import { png } from '../modules/media/files.ts'
import { freePort, openBrowser } from './fixtures.ts'

const boards = fileURLToPath(new URL('../services/topics/boards/module.js', import.meta.url))
const PAGE = new URL('./client-page.html', import.meta.url)

test('signs in, lists, uploads and subscribes in a page', async t => {
  t.timeout(120_000)
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

  // Chromium treats an intercepted page as one of a public site, which may not connect to this machine.
  const browser = await openBrowser(t, ['--disable-features=LocalNetworkAccessChecks'])
  const page = await browser.newPage()
  // Served from the product's address, so that the page has its cookie.
  const script = await toJavaScript(await clientSource(recipe))
  await page.route(`${url}/test/client.js`, route => route.fulfill({ contentType: 'text/javascript', body: script }))
  const html = await readFile(PAGE, 'utf8')
  await page.route(`${url}/test/`, route => route.fulfill({ contentType: 'text/html', body: html }))
  await page.goto(`${url}/test/`)

  const shown = (id: string) => page.locator(`#${id}`).textContent()
  await page.fill('[name=email]', ada.email)
  await page.fill('[name=password]', TEST_PASSWORD)
  await page.click('button')
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
