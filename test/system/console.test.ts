import test, { type ExecutionContext } from 'ava'
import type { Locator, Page } from 'playwright-core'
import { TEST_PASSWORD } from '../../testing/index.ts'
import { type OwnConsole, recordRequests, startConsole, startOwnConsole, waitForScreen } from './console-fixtures.ts'
import { openBrowser } from './fixtures.ts'

const HOSTILE = '<img src=x onerror="document.title=\'run\'">'
const ARTICLES = {
  label: 'Article',
  title: 'Articles',
  search: ['title'],
  fields: { title: { type: 'text', required: true }, slug: { type: 'slug' }, body: { type: 'longtext' } },
}

async function openConsole(t: ExecutionContext, path = ''): Promise<OwnConsole & { readonly page: Page }> {
  const modules = { collections: {}, content: {}, features: {} }
  const started = await startOwnConsole(t, modules, { collections: { articles: ARTICLES } })
  for (const [slug, title] of [
    ['first', 'First article'],
    ['hostile', HOSTILE],
  ])
    await started.ada.post('/v1/data/articles', { slug, title, body: `Text of ${slug}` })
  return { ...started, page: await started.open(started.ada, path) }
}

test.serial('finds, creates, edits and deletes a record', async t => {
  const { page, problems } = await openConsole(t, '/collections/articles')
  await page.getByRole('link', { name: 'First article' }).waitFor()
  await page.getByText(HOSTILE).waitFor()
  t.not(await page.title(), 'run')

  await page.getByLabel('Search Articles').fill('first')
  await page.getByText(HOSTILE).waitFor({ state: 'detached' })
  await page.getByLabel('Search Articles').fill('')
  await page.getByText(HOSTILE).waitFor()

  await page
    .getByRole('link', { name: /^New article/i })
    .first()
    .click()
  await page
    .getByLabel(/^Title/)
    .first()
    .fill('Second article')
  await page.getByLabel(/^Slug/).fill('Not a slug')
  await page.getByRole('button', { name: /^Create article/i }).click()
  await page.locator('.field.invalid').waitFor()
  await page.getByLabel(/^Slug/).fill('second')
  await page.getByRole('button', { name: /^Create article/i }).click()
  await page.getByRole('heading', { name: 'Second article' }).waitFor()

  await page.getByRole('link', { name: 'Edit' }).click()
  await page
    .getByLabel(/^Title/)
    .first()
    .fill('Changed article')
  await page.getByRole('button', { name: 'Save changes' }).click()
  await page.getByRole('heading', { name: 'Changed article', exact: true }).waitFor()

  await page.getByRole('button', { name: /^Actions/ }).click()
  await page.getByRole('menuitem', { name: 'Delete' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click()
  await page.getByRole('link', { name: 'First article' }).waitFor()
  // Neither the rows that were loaded before nor the current ones contain it.
  t.is(await page.getByRole('link', { name: 'Changed article' }).count(), 0)
  await waitForScreen(page)
  t.is(await page.getByRole('link', { name: 'Changed article' }).count(), 0)
  t.deepEqual(problems, [])
})

test.serial('loads a record that its own screen deletes no more', async t => {
  const { page } = await openConsole(t, '/collections/articles')
  await page.getByRole('link', { name: 'First article' }).click()
  await page.getByRole('heading', { name: 'First article' }).waitFor()
  await page.getByRole('button', { name: /^Actions/ }).click()
  await page.getByRole('menuitem', { name: 'Delete' }).click()
  const requests: string[] = []
  page.on('request', request => requests.push(`${request.method()} ${new URL(request.url()).pathname}`))
  await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click()
  await page.getByRole('link', { name: 'First article' }).waitFor({ state: 'detached' })
  await waitForScreen(page)
  const deleted = requests.find(request => request.startsWith('DELETE ')) ?? ''
  t.regex(deleted, /^DELETE \/v1\/data\/articles\/\w+$/)
  t.false(requests.includes(deleted.replace('DELETE', 'GET')))
})

test.serial('merges a conflicting edit, and continues after the login session has ended', async t => {
  const { page, ada } = await openConsole(t, '/collections/articles')
  await page.getByRole('link', { name: 'First article' }).click()
  await page.getByRole('link', { name: 'Edit' }).click()
  await page
    .getByLabel(/^Title/)
    .first()
    .fill('My title')
  const id = page.url().split('/').at(-2) as string
  await ada.patch(`/v1/data/articles/${id}`, { title: 'Their title', body: 'Their text' })
  await page.getByRole('button', { name: 'Save changes' }).click()
  const dialog = page.getByRole('alertdialog')
  await dialog.getByText('Their title').waitFor()
  await page.context().clearCookies()
  await dialog.getByRole('button', { name: 'Save merged version' }).click()
  await page.getByLabel('Password', { exact: true }).fill(TEST_PASSWORD)
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  await page.waitForURL(`**/console/*/collections/articles/${id}`)
  const { body } = await ada.get<{ title: string; body: string }>(`/v1/data/articles/${id}`)
  t.like(body, { title: 'My title', body: 'Their text' })
})

test.serial('opens a screen with the command palette by keyboard', async t => {
  const { page } = await openConsole(t)
  await waitForScreen(page)
  await page.keyboard.press('Control+k')
  await page.getByRole('dialog').getByRole('combobox').and(page.locator(':focus')).waitFor()
  await page.keyboard.type('articles')
  await page.keyboard.press('Enter')
  await page.waitForURL(`**/console/*/collections/articles`)
  t.pass()
})

const MAX_TAB_PRESSES = 90

/** Moves the focus with the keyboard only. */
async function tabTo(page: Page, target: Locator): Promise<void> {
  await target.waitFor()
  for (let pressed = 0; pressed < MAX_TAB_PRESSES; pressed++) {
    if ((await target.and(page.locator(':focus')).count()) > 0) return
    await page.keyboard.press('Tab')
  }
  throw new Error(`${target} on ${page.url()} is not reachable with Tab`)
}

test.serial('an operator can sign in and retry a dead letter with the keyboard only', async t => {
  const { url, admin, ada, fail, kernel } = await startConsole(t)
  await fail(ada)
  await kernel.post('/v1/flaky/mended')
  const browser = await openBrowser(t)
  const page = await (await browser.newContext()).newPage()
  recordRequests(page)

  await page.goto(`${url}/console/platform/dead-letters`)
  t.regex(page.url(), /\/sign-in\?next=/)
  await tabTo(page, page.locator('input[name=email]'))
  await page.keyboard.type(admin.email)
  await tabTo(page, page.locator('input[type=password]'))
  await page.keyboard.type(TEST_PASSWORD)
  await page.keyboard.press('Enter')
  await page.waitForURL(`**/console/*/platform/dead-letters`)
  await page.goto(`${url}/console/${admin.tenantId}/platform/dead-letters`)

  const rows = page.locator('tbody tr')
  await rows.nth(1).waitFor()
  t.is(await rows.count(), 2)
  await tabTo(page, page.getByRole('button', { name: /^Actions: flaky.work/ }))
  await page.keyboard.press('Enter')
  await page.getByRole('menuitem', { name: 'Retry' }).and(page.locator(':focus')).waitFor()
  await page.keyboard.press('Enter')
  await tabTo(page, page.getByRole('alertdialog').getByRole('button', { name: 'Retry' }))
  await page.keyboard.press('Enter')
  await page.getByText('Retry: done.').waitFor()
  await rows.nth(1).waitFor({ state: 'detached' })
  const { body } = await ada.get('/v1/platform/dead-letters')
  t.deepEqual(
    body.data.map(({ kind }) => kind),
    ['delivery'],
  )
})
