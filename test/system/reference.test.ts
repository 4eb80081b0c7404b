import test from 'ava'
import type { Page } from 'playwright-core'
import { openBrowser } from './fixtures.ts'
import { accessibilityProblems, signIn, startSite, type TestSite } from './site-fixtures.ts'

let s: TestSite
test.before(async () => {
  s = await startSite('default')
})
test.after.always(() => s?.kernel.stop())

/** Fails the test for each error in the console and each request to another host. */
function recordProblems(page: Page, url: string): string[] {
  const problems: string[] = []
  page.on('console', message => {
    if (message.type() === 'error') problems.push(message.text())
  })
  page.on('pageerror', error => problems.push(error.message))
  page.on('request', request => {
    if (!/^(data|blob):/.test(request.url()) && !request.url().startsWith(url)) problems.push(request.url())
  })
  return problems
}

test.serial('a visitor finds an operation in the API reference and reads it in four languages', async t => {
  const browser = await openBrowser(t)
  const page = await (await browser.newContext({ locale: 'en' })).newPage()
  const problems = recordProblems(page, s.url)
  await page.goto(`${s.url}/docs`)
  await page.getByRole('heading', { name: 'Acme API' }).waitFor()
  // So that the search of the browser finds it.
  await page.getByText('List audit entries').first().waitFor()
  t.deepEqual(await accessibilityProblems(page, 'reference'), [])

  await page.setViewportSize({ width: 1280, height: 900 })
  await page.keyboard.press('Control+k')
  await page.keyboard.type('invite member')
  await page
    .getByRole('option', { name: /Invite member/ })
    .first()
    .click()
  const operation = page.getByRole('region', { name: 'Invite member' })
  await operation.getByText('Auth Required').waitFor()
  await operation.getByText('curl', { exact: true }).first().waitFor()
  for (const [client, code] of [
    ['Fetch', 'fetch('],
    ['Requests', 'requests.post('],
    ['NewRequest', 'http.NewRequest('],
  ] as const) {
    await operation
      .getByRole('button', { name: /Curl|Fetch|Requests/ })
      .first()
      .click()
    await page.getByRole('option', { name: client, exact: true }).first().click()
    await operation.locator('code').filter({ hasText: code }).first().waitFor()
  }
  await page.goto(`${s.url}/docs#tag/auth/POST/v1/auth/register`)
  await page.reload()
  await page.getByRole('region', { name: 'Register' }).getByText('Auth Optional').waitFor()
  t.deepEqual(problems, [])
})

test.serial('a signed-in reader sends a request for the selected workspace', async t => {
  const browser = await openBrowser(t)
  const context = await browser.newContext({ locale: 'en', viewport: { width: 1280, height: 900 } })
  const page = await signIn(context, s.url, s.ada.email)
  const problems = recordProblems(page, s.url)
  const anchor = '#tag/identity/GET/v1/identity/members'
  await page.goto(`${s.url}/docs${anchor}`)
  await page.getByLabel('Workspace').selectOption({ label: 'A second workspace' })
  const operation = page.getByRole('region', { name: 'List members' })
  await operation.getByText('x-tenant-id: a-second-workspace').waitFor()
  await operation.getByRole('button', { name: /Test Request/ }).click()
  const answered = page.waitForResponse(response => new URL(response.url()).pathname === '/v1/identity/members')
  await page.getByRole('button', { name: /^Send/ }).first().click()
  const response = await answered
  t.is(response.status(), 200)
  t.is(response.request().headers()['x-tenant-id'], 'a-second-workspace')
  await page.reload()
  const selected = page.getByLabel('Workspace').locator('option:checked', { hasText: 'A second workspace' })
  await selected.waitFor({ state: 'attached' })
  t.deepEqual(problems, [])
})
