/** Jobs of people in the browser, in counted clicks. Filling a field is no click. */
import test from 'ava'
import type { Locator, Page } from 'playwright-core'
import { knownClaimCode } from '../fixtures/people.ts'
import { startOwnConsole } from './console-fixtures.ts'

/** Counts clicks of the page and of pages that it opens. */
function createClicks() {
  let count = 0
  return {
    click(target: Locator): Promise<void> {
      count++
      return target.click()
    },
    count: () => count,
  }
}

const editor = (page: Page) => page.getByRole('textbox', { name: 'Text (Markdown)' })

test.serial('a person claims the installation, publishes a first page and sees it in 8 clicks', async t => {
  const { kernel, url, ada, problems, open } = await startOwnConsole(t, { content: {} })
  const page = await open(ada, '/account')
  const code = await knownClaimCode(kernel)
  const { click, count } = createClicks()
  await page.goto(`${url}/claim`)
  await page.getByLabel('Claim code').fill(code)
  await click(page.getByRole('button', { name: 'Claim' }))
  await page.waitForURL('**/welcome')
  await click(page.getByRole('link', { name: 'Write your first page' }))
  await page.getByLabel('Title').fill('About us')
  await editor(page).fill('We build *engines*.')
  await click(page.getByRole('button', { name: 'Save draft' }))
  await click(page.getByRole('button', { name: 'Publish', exact: true }))
  await page.locator('.badge', { hasText: 'Published' }).waitFor()
  await click(page.getByRole('button', { name: 'More actions' }))
  const opened = page.waitForEvent('popup')
  await click(page.getByRole('menuitem', { name: 'View page' }))
  const site = await opened
  await site.locator('em', { hasText: 'engines' }).waitFor()
  t.is(await site.locator('h1').innerText(), 'About us')
  t.true(count() <= 8, `${count()} clicks`)
  t.deepEqual(problems, [])
})

test.serial('an operator fixes a typo on the home page in 2 clicks, and resets it to the recipe in 3', async t => {
  const { kernel, url, ada, problems, open } = await startOwnConsole(
    t,
    { content: { editable: true } },
    { pages: { home: { path: '/', title: 'Our shop', body: 'Welcom to our shop.' } } },
  )
  const { operator } = kernel.kernel.ports
  await ada.post('/v1/auth/claim', { code: await knownClaimCode(kernel) })
  const page = await open({ email: ada.email, tenantId: operator.tenantId }, '/content/pages')
  const edit = createClicks()
  await edit.click(page.getByRole('link', { name: 'Our shop', exact: true }))
  await editor(page).fill('Welcome to our shop.')
  await edit.click(page.getByRole('button', { name: 'Publish', exact: true }))
  await page.getByText('Page published.').waitFor()
  t.is(edit.count(), 2)
  const home = async () => (await kernel.get<string>('/', { headers: { accept: 'text/html' } })).body
  t.regex(await home(), /Welcome to our shop\./)

  const reset = createClicks()
  await reset.click(page.getByRole('button', { name: 'More actions' }))
  await reset.click(page.getByRole('menuitem', { name: 'Reset to recipe' }))
  await reset.click(page.getByRole('alertdialog').getByRole('button', { name: 'Reset to recipe' }))
  await editor(page).getByText('Welcom to our shop.').waitFor()
  t.is(reset.count(), 3)
  t.regex(await home(), /Welcom to our shop\./)
  t.is(new URL(page.url()).origin, url)
  t.deepEqual(problems, [])
})
