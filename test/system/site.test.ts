import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import test from 'ava'
import { TEST_PASSWORD } from '../../testing/index.ts'
import { openBrowser } from './fixtures.ts'
import { startSite } from './site-fixtures.ts'

test.serial('a visitor without JavaScript signs up, uses two languages and signs out', async t => {
  const s = await startSite('default')
  t.teardown(() => s.kernel.stop())
  const browser = await openBrowser(t)
  const page = await (await browser.newContext({ javaScriptEnabled: false, locale: 'en' })).newPage()
  await page.goto(s.url)
  // The first focus target skips the menu.
  await page.keyboard.press('Tab')
  t.is(await page.locator(':focus').textContent(), 'Skip to content')
  await page.keyboard.press('Enter')
  await page.waitForURL(/#main$/)

  await page.getByRole('navigation', { name: 'Account' }).getByRole('link', { name: 'Sign up' }).click()
  await page.getByLabel('Name').fill('Grace')
  await page.getByLabel('Email').fill('grace@example.test')
  await page.getByLabel('Password').fill('short')
  await page.getByRole('button', { name: 'Create account' }).click()
  // The browser's own validation rejects the short password.
  t.true(page.url().endsWith('/sign-up'))
  await page.getByLabel('Password').fill(TEST_PASSWORD)
  await page.getByRole('button', { name: 'Create account' }).click()
  await page.waitForURL(`${s.url}/`)
  await page.goto(`${s.url}/account`)
  await page.getByRole('heading', { name: 'Grace', level: 1 }).waitFor()

  await page.getByRole('navigation', { name: 'Language' }).getByRole('link', { name: 'Deutsch' }).click()
  await page.getByRole('navigation', { name: 'Kontoeinstellungen' }).getByRole('link', { name: 'Workspaces' }).click()
  await page.getByRole('heading', { name: 'Workspaces' }).waitFor()
  await page.getByRole('main').getByRole('link', { name: 'Neuer Workspace' }).click()
  await page.getByLabel('Name').fill('Compiler')
  await page.getByRole('button', { name: 'Workspace erstellen' }).click()
  await page.getByText('Workspace gewechselt.').waitFor()
  t.is(await page.locator('.item', { hasText: 'aktuell' }).locator('strong').textContent(), 'Compiler')

  await page.getByText('Company').click()
  await page.getByRole('link', { name: 'About us' }).click()
  await page.getByRole('heading', { name: 'About us', level: 1 }).waitFor()
  await page.goto(`${s.url}/account`)
  await page.getByRole('main').getByRole('button', { name: 'Abmelden' }).click()
  await page.getByRole('heading', { name: 'Anmelden' }).waitFor()
  await page.goto(`${s.url}/us`)
  t.is(page.url(), `${s.url}/about`)
})

test.serial('publishes a draft, renames it and redirects from its old path', async t => {
  const s = await startSite('studio')
  t.teardown(() => s.kernel.stop())
  const browser = await openBrowser(t)
  const page = await browser.newPage()
  const editor = s.kernel.as(s.admin.token, s.admin.operatorId)
  const draft = { slug: 'news', title: 'News', body: 'It <script>document.title = "run"</script> is **out**.' }
  const { body } = await editor.post('/v1/content/pages', draft)
  t.is((await page.goto(`${s.url}/news`))?.status(), 404)
  await editor.post(`/v1/content/pages/${body.id}/publish`)
  await page.goto(`${s.url}/news`)
  t.is(await page.getByRole('article').getByText('out').count(), 1)
  t.is(await page.title(), 'News · Acme')
  await editor.patch(`/v1/content/pages/${body.id}`, { slug: 'latest' })
  await page.goto(`${s.url}/news`)
  t.is(page.url(), `${s.url}/latest`)
})

test.serial('themes change the appearance of the same recipe', async t => {
  const browser = await openBrowser(t)
  const styles = []
  for (const theme of ['default', 'studio']) {
    const s = await startSite(theme)
    t.teardown(() => s.kernel.stop())
    const page = await browser.newPage({ viewport: { width: 1280, height: 860 } })
    await page.goto(s.url)
    styles.push(
      await page.evaluate(`(() => {
        const { fontFamily, color } = getComputedStyle(document.querySelector('h1'))
        const { width, height } = document.querySelector('header').getBoundingClientRect()
        return { fontFamily, color, ground: getComputedStyle(document.body).backgroundColor, tall: height > width }
      })()`),
    )
    await page.close()
  }
  const [one, other] = styles as Record<string, unknown>[]
  t.deepEqual([one?.tall, other?.tall], [false, true])
  for (const part of ['fontFamily', 'color', 'ground']) t.not(one?.[part], other?.[part], part)
})

test.serial(
  'the watch page shows that a public stream is offline, and requests nothing from an edge without it',
  async t => {
    const requests: string[] = []
    const edge = createServer((request, response) => {
      requests.push(`${request.method} ${request.url} ${request.headers['content-type']}`)
      response.writeHead(request.method === 'OPTIONS' ? 204 : 404, {
        'access-control-allow-origin': '*',
        'access-control-allow-headers': 'content-type',
        'access-control-allow-methods': 'POST',
      })
      response.end()
    }).listen(0, '127.0.0.1')
    await once(edge, 'listening')
    t.teardown(() => void edge.close())
    const address = `http://127.0.0.1:${(edge.address() as AddressInfo).port}`
    const edgeOptions = { webrtcUrl: address, hlsUrl: address, secret: 'the secret of the edge' }
    const s = await startSite('default', { streams: { edge: edgeOptions } })
    t.teardown(() => s.kernel.stop())
    const browser = await openBrowser(t)
    const page = await browser.newPage()
    await page.goto(s.url + s.publicPages.streams)
    await page.getByRole('link', { name: 'Tea with the engine' }).click()
    await page.getByText('This stream is offline right now.').waitFor()
    await page.goto(`${page.url()}?lang=de`)
    await page.getByText('Dieser Stream ist gerade offline.').waitFor()
    t.deepEqual(requests, [])
  },
)
