import test, { type ExecutionContext } from 'ava'
import type { Page } from 'playwright-core'
import { waitFor } from '../fixtures/wait.ts'
import { checkScreen, type OwnConsole, shareOwnConsole, startOwnConsole } from './console-fixtures.ts'

const start = shareOwnConsole(test, { content: {} })

async function openContent(t: ExecutionContext, path: string): Promise<OwnConsole & { readonly page: Page }> {
  const started = await start(t)
  for (const [slug, path, locale, title] of [
    ['docs', '/docs', 'en', 'Documentation'],
    ['docs', '/doku', 'de', 'Dokumentation'],
    ['start', '/docs/start', 'en', 'Getting started'],
  ]) {
    const body = `# ${title}\n\nFirst line\n\nSecond line`
    await started.ada.post('/v1/content/pages', { slug, path, locale, title, body })
  }
  return { ...started, page: await started.open(started.ada, path) }
}

const editor = (page: Page) => page.getByRole('textbox', { name: 'Text (Markdown)' })

test.serial('writes, previews, publishes, compares, restores and deletes a page', async t => {
  const { page, ada, problems } = await openContent(t, '/content/pages')
  await page.getByRole('link', { name: 'Getting started', exact: true }).waitFor()
  await page.getByRole('button', { name: 'Hide pages below Documentation' }).click()
  await page.getByRole('link', { name: 'Getting started', exact: true }).waitFor({ state: 'detached' })
  await page.getByLabel('Search title or address').fill('started')
  await page.getByRole('link', { name: 'Getting started', exact: true }).waitFor()

  await page.getByRole('link', { name: 'New page' }).click()
  await page.getByLabel('Title').fill('About us')
  await page.locator('.cm-content').waitFor()
  await editor(page).fill('We build engines')
  await page.keyboard.press('Control+i')
  await page.keyboard.press('End')
  await page.keyboard.type('.')
  const preview = page.frameLocator('iframe.preview')
  await preview.locator('article em', { hasText: 'engines' }).waitFor()
  await preview.getByRole('heading', { name: 'About us' }).waitFor()
  await page.getByRole('button', { name: 'Save draft' }).click()
  await page.getByRole('button', { name: 'Publish', exact: true }).click()
  await page.locator('.badge', { hasText: 'Published' }).waitFor()

  await editor(page).fill('We build other engines.')
  await page.keyboard.press('Control+s')
  await page.locator('.badge', { hasText: 'Unpublished changes' }).waitFor()
  await page.getByRole('tab', { name: 'Settings and SEO' }).click()
  await page.getByLabel('Slug').fill('About us!')
  await page.getByRole('tab', { name: 'Write' }).click()
  await page.getByRole('button', { name: 'Save draft' }).click()
  // The tab with the message opens.
  await page.getByRole('alert').getByText('Check the marked field.').waitFor()
  t.is(await page.getByLabel('Slug').getAttribute('aria-invalid'), 'true')
  await page.getByLabel('Slug').fill('about-us')
  await page.getByLabel(/^Description/).fill('Who we are')
  await page.locator('.search-result', { hasText: 'Who we are' }).waitFor()
  await page.getByRole('button', { name: 'Save draft' }).click()
  await page.getByText('Unsaved changes').waitFor({ state: 'detached' })

  await page.getByRole('tab', { name: 'Versions' }).click()
  await page.getByRole('button', { name: /^Version 1/ }).click()
  await page.locator('.diff-line.removed', { hasText: 'We build *engines*.' }).waitFor()
  await page.getByRole('button', { name: 'Restore version 1' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Restore version 1' }).click()
  await editor(page).getByText('We build *engines*.').waitFor()

  const id = page.url().split('/').at(-1) as string
  t.like((await ada.get(`/v1/content/pages/${id}`)).body, { slug: 'about-us', body: 'We build *engines*.' })
  await page.getByRole('button', { name: 'More actions' }).click()
  await page.getByRole('menuitem', { name: 'Delete' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click()
  await page.getByRole('link', { name: 'Documentation', exact: true }).waitFor()
  t.is((await ada.get(`/v1/content/pages/${id}`)).status, 404)
  t.deepEqual(problems, [])
})

test.serial('keeps what is typed while a new page is saved', async t => {
  const { page, ada } = await openContent(t, '/content/pages/new')
  await page.getByLabel('Title').fill('Tea')
  await editor(page).fill('Green')
  await page.route('**/v1/content/pages', async route => {
    if (route.request().method() === 'POST') {
      await editor(page).press('End')
      await page.keyboard.type(' tea')
    }
    await route.continue()
  })
  await page.getByRole('button', { name: 'Save draft' }).click()
  await page.waitForURL(/\/content\/pages\/\w+_/)
  await editor(page).getByText('Green tea').waitFor()
  const path = `/v1/content/pages/${page.url().split('/').at(-1)}`
  const saved = async () => (await ada.get<{ body: string }>(path)).body.body
  t.is(await saved(), 'Green')
  await page.getByRole('button', { name: 'Save draft' }).click()
  await waitFor(async () => (await saved()) === 'Green tea')
})

for (const field of ['Title', 'Text (Markdown)'])
  test.serial(`keeps the focus and the selection in the field ${field} when a new page is saved`, async t => {
    const { page } = await openContent(t, '/content/pages/new')
    await page.locator('.cm-editor').waitFor()
    await page.getByLabel('Title').fill('Green leaves')
    await editor(page).fill('Green leaves')
    await page.getByLabel(field, { exact: true }).focus()
    await page.keyboard.press('End')
    await page.keyboard.press('Control+Shift+ArrowLeft')
    await page.evaluate("document.activeElement.dataset.isReplaced = 'true'")
    await page.keyboard.press('Control+s')
    const focused = `document.activeElement.dataset.isReplaced ? '' : document.activeElement.getAttribute('aria-label')`
    await waitFor(async () => (await page.evaluate(focused)) === field)
    await page.keyboard.type('tea')
    const input = page.getByLabel(field, { exact: true })
    await waitFor(async () => (await (field === 'Title' ? input.inputValue() : input.innerText())) === 'Green tea')
    t.pass()
  })

test.serial('keeps focus, selection and text when the editor replaces the plain field', async t => {
  const { page } = await openContent(t, '/content/pages')
  let load = () => {}
  const isWanted = new Promise<void>(resolve => {
    load = resolve
  })
  await page.route(/\/CodeMirror-[^/]*\.js$/, async route => {
    await isWanted
    await route.continue()
  })
  await page.getByRole('link', { name: 'New page' }).click()
  await editor(page).fill('Green leaves')
  await page.keyboard.press('Control+Shift+ArrowLeft')
  load()
  await page.locator('.cm-editor').waitFor()
  await page.keyboard.type('tea')
  await page.frameLocator('iframe.preview').getByText('Green tea', { exact: true }).waitFor()
  t.is(await editor(page).innerText(), 'Green tea')
})

test.serial('merges a page that somebody else changed, and shows another language beside the text', async t => {
  const { page, ada } = await openContent(t, '/content/pages')
  await page.getByRole('link', { name: 'Documentation', exact: true }).click()
  await page.getByRole('link', { name: /^German/ }).waitFor()
  await page.getByLabel('Right pane').selectOption({ label: 'Compare with German' })
  await page.locator('.other-language', { hasText: 'Dokumentation' }).waitFor()
  await page.getByLabel('Title').fill('Handbook')
  const id = page.url().split('/').at(-1) as string
  await ada.patch(`/v1/content/pages/${id}`, { title: 'Manual', body: 'Their text' })
  await page.getByRole('button', { name: 'Save draft' }).click()
  const dialog = page.getByRole('alertdialog')
  await dialog.getByText('Manual').waitFor()
  await dialog.getByRole('button', { name: 'Save merged version' }).click()
  await dialog.waitFor({ state: 'detached' })
  await page.getByText('Draft saved.').waitFor()
  t.like((await ada.get(`/v1/content/pages/${id}`)).body, { title: 'Handbook', body: 'Their text' })
})

test.serial('a page in Arabic is written from right to left, and each line in its own direction', async t => {
  const locales = { default: 'en', available: ['en', 'ar'] }
  const { ada, open, problems } = await startOwnConsole(t, { content: {} }, { locales })
  await ada.post('/v1/content/pages', { slug: 'tea', locale: 'en', title: 'Tea', body: 'Green' })
  const page = await open(ada, '/content/pages')
  await page.getByRole('link', { name: 'Tea', exact: true }).click()
  await page.locator('.cm-editor').waitFor()
  const directionOf = (selector: string) =>
    page.evaluate(`getComputedStyle(document.querySelector('${selector}')).direction`)
  t.is(await directionOf('.cm-content'), 'ltr')
  await page.getByRole('link', { name: /^\+ .*Arabic/ }).click()
  await page.waitForURL(/\/content\/pages\/new/)
  await page.locator('.cm-editor:dir(rtl)').waitFor()
  t.is(await directionOf('.title-input'), 'rtl')
  await page.getByLabel('Title').fill('شاي')
  await editor(page).fill('# شاي\n\nشاي green\n\nGreen tea')
  t.is(await directionOf('.cm-line:nth-child(3)'), 'rtl')
  t.is(await directionOf('.cm-line:nth-child(4)'), 'rtl')
  t.is(await directionOf('.cm-line:nth-child(5)'), 'ltr')
  // The arrow goes on to the left from Arabic into English.
  await page.locator('.cm-line:nth-child(3)').click()
  await page.keyboard.press('Home')
  for (let n = 0; n < 6; n++) await page.keyboard.press('ArrowLeft')
  await page.keyboard.type('X')
  const lines = await page.locator('.cm-line').allInnerTexts()
  t.regex(lines[2] ?? '', /^شاي gree?X/, lines.join(' | '))
  t.deepEqual(await checkScreen(page, 'page-editor-rtl'), [])
  t.deepEqual(problems, [])
})

test.serial('creates and reorders a menu by keyboard and by dragging, and tests a redirect', async t => {
  const { page, ada, url } = await openContent(t, '/content/menus')
  await page.getByRole('button', { name: 'New menu' }).click()
  await page.getByRole('textbox', { name: 'Key' }).fill('main')
  await page.keyboard.press('Enter')
  await page.waitForURL(`**/console/*/content/menus/main`)
  for (const [n, label] of ['Docs', 'Shop', 'Contact'].entries()) {
    await page.getByRole('button', { name: 'Add item' }).click()
    await page.getByLabel(`Label: item ${n + 1}`).fill(label)
    await page.getByLabel(`Kind of target: ${label}`).selectOption('path')
    await page.getByLabel(`Address: ${label}`).fill(`/${label.toLowerCase()}`)
  }
  await page.getByLabel('Label: Shop').focus()
  await page.keyboard.press('Alt+ArrowRight')
  await page.getByTitle('Drag Contact').dragTo(page.getByLabel('Label: Docs'), { targetPosition: { x: 20, y: 2 } })
  await page.getByRole('button', { name: 'Save menu' }).click()
  await page.getByText('Menu saved.').waitFor()
  const { body } = await ada.get<{ items: object[] }>('/v1/content/navigation/main')
  t.deepEqual(body.items, [
    { label: 'Contact', path: '/contact' },
    { label: 'Docs', path: '/docs', items: [{ label: 'Shop', path: '/shop' }] },
  ])

  await ada.post('/v1/content/redirects', { from: '/old/*', to: '/new/:splat' })
  await page.goto(`${url}/console/content/redirects`)
  await page.getByLabel('Test a path').fill('/old/page')
  await page.getByRole('button', { name: 'Test', exact: true }).click()
  await page.getByText('/old/page redirects to /new/page (301), by the rule /old/*.').waitFor()
})
