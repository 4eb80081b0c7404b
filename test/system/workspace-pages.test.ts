/** Walks the workspace pages in Chromium without JavaScript, and checks their accessibility in both themes. */
import test from 'ava'
import type { Page } from 'playwright-core'
import { TEST_PASSWORD } from '../../testing/index.ts'
import { newEmail } from '../modules/identity/fixtures.ts'
import { tokenIn } from '../modules/identity/pages/mail-tokens.ts'
import { createClicks } from './clicks.ts'
import { openBrowser } from './fixtures.ts'
import { signIn, startSite, type TestSite } from './site-fixtures.ts'

let s: TestSite
test.before(async () => {
  s = await startSite('default')
})
test.after.always(() => s?.kernel.stop())

const tab = (page: Page, name: string) =>
  page.getByRole('navigation', { name: 'Workspace settings' }).getByRole('link', { name }).click()

test.serial('an owner sets up a workspace without JavaScript', async t => {
  const browser = await openBrowser(t)
  const context = await browser.newContext({ javaScriptEnabled: false, locale: 'en' })
  const page = await context.newPage()
  await page.goto(`${s.url}/sign-up`)
  await page.getByLabel('Name').fill('Grace Hopper')
  await page.getByLabel('Email').fill(newEmail('grace'))
  await page.getByLabel('Password').fill(TEST_PASSWORD)
  await page.getByRole('button', { name: 'Create account' }).click()

  // Sign-up leads to the home page. The first steps are those of the operator.
  await page.waitForURL(`${s.url}/`)
  t.is(await page.getByRole('heading', { name: 'Get started' }).count(), 0)
  await page.goto(`${s.url}/workspace/members`)
  await page.getByRole('link', { name: 'Invite people' }).click()
  await page.getByLabel('Email addresses').fill('one@example.test, two@example.test')
  await page.getByRole('button', { name: 'Send invitations' }).click()
  await page.getByText('Invited: one@example.test, two@example.test').waitFor()
  const pending = page.getByRole('listitem').filter({ hasText: 'two@example.test' })
  await pending.getByText('Revoke', { exact: true }).first().click()
  await page.getByText('Revoke the invitation of two@example.test?').waitFor()
  await pending.getByRole('button', { name: 'Revoke' }).click()
  await page.getByText('Invitation revoked.').waitFor()
  await page.waitForLoadState()
  t.is(await page.getByText('two@example.test').count(), 0)

  await tab(page, 'Roles')
  await page.getByRole('link', { name: 'New role' }).click()
  await page.getByRole('textbox', { name: 'Name' }).fill('Support <b>')
  await page.getByText('Identity', { exact: true }).click()
  await page.getByLabel('View members').check()
  await page.getByRole('button', { name: 'Create role' }).click()
  await page.getByText('Role created.').waitFor()
  await page.getByText('Support <b>').waitFor()

  await tab(page, 'API keys')
  await page.getByRole('textbox', { name: 'Name' }).fill('Till')
  await page.getByRole('button', { name: 'Create API key' }).click()
  await page.getByText("Copy your API key now. You won't be able to see it again.").waitFor()

  await tab(page, 'General')
  await page.getByLabel('Name').fill('Compilers')
  await page.getByRole('button', { name: 'Save changes' }).click()
  await page.getByText('Changes saved.').waitFor()
  await page.getByLabel('Workspace Compilers').click()
  await page.getByRole('link', { name: 'Create workspace' }).click()
  await page.getByLabel('Name').fill('Short lived')
  await page.getByRole('button', { name: 'Create workspace' }).click()
  await page.getByLabel('Workspace Short lived').waitFor()
  await page.goto(`${s.url}/workspace/settings`)
  await page.getByLabel('Type Short lived to confirm').fill('Short lived')
  await page.getByRole('button', { name: 'Delete workspace' }).click()
  await page.getByText('Workspace deleted.').waitFor()

  await page.goto(`${s.url}/workspace/audit`)
  await page.getByLabel('Action').selectOption('API key created')
  await page.getByRole('button', { name: 'Filter' }).click()
  await page.waitForURL(({ search }) => search.includes('api_key'))
  t.is(await page.locator('.item').count(), 2)

  // Whoever is invited joins this workspace in four clicks, with a confirmed address, and deletes the account in two.
  const token = await tokenIn(s.kernel, 'one@example.test', '/invitations/accept')
  const guest = await (await browser.newContext({ javaScriptEnabled: false, locale: 'en' })).newPage()
  // The link in the email is the first click.
  const join = createClicks(1)
  await guest.goto(`${s.url}/invitations/accept?token=${encodeURIComponent(token)}`)
  await join.click(guest.getByRole('main').getByRole('link', { name: 'Create account' }))
  await guest.getByLabel('Name').fill('Ben <i>One</i>')
  await guest.getByLabel('Password').fill(TEST_PASSWORD)
  await join.click(guest.getByRole('button', { name: 'Create account' }))
  await join.click(guest.getByRole('button', { name: 'Accept invitation' }))
  await guest.getByRole('heading', { name: 'Welcome, Ben <i>One</i>!' }).waitFor()
  await guest.getByText('You have joined Compilers.').waitFor()
  t.is(join.count(), 4)
  await guest.goto(`${s.url}/account`)
  await guest.getByLabel('Workspace Compilers').waitFor()
  await guest.getByText('Confirmed', { exact: true }).waitFor()
  const leave = createClicks()
  await leave.click(guest.getByRole('link', { name: 'Your data' }))
  await guest.getByLabel('Enter your password to confirm').fill(TEST_PASSWORD)
  await leave.click(guest.getByRole('button', { name: 'Delete my account' }))
  await guest.getByRole('heading', { name: 'Your account is deleted' }).waitFor()
  t.is(leave.count(), 2)

  await page.goto(`${s.url}/nowhere`)
  await page.getByRole('heading', { name: "We couldn't find this page" }).waitFor()
  await page.getByRole('link', { name: 'Go to home page' }).click()
  await page.waitForURL(`${s.url}/`)
})

test.serial('menus close with Escape, and times are in the zone of the browser', async t => {
  const browser = await openBrowser(t)
  const context = await browser.newContext({ locale: 'en', timezoneId: 'Asia/Tokyo' })
  const page = await signIn(context, s.url, s.ada.email)
  await page.goto(`${s.url}/workspace/audit`)
  const time = page.locator('time').first()
  await page.locator('time[title$=UTC]').first().waitFor()
  t.notRegex((await time.textContent()) ?? '', /UTC$/)
  t.regex((await time.getAttribute('title')) ?? '', /UTC$/)
  await page.getByLabel('Account of Ada Lovelace').click()
  await page.getByRole('link', { name: 'Account settings' }).waitFor()
  await page.keyboard.press('Escape')
  await page.getByRole('link', { name: 'Account settings' }).waitFor({ state: 'hidden' })
  t.pass()
})
