/** What the command palette finds, and the choice among many workspaces. */
import test from 'ava'
import { promote } from '../modules/platform/fixtures.ts'
import { checkScreen, startOwnConsole, waitForScreen } from './console-fixtures.ts'

test.serial('finds actions by their names and by synonyms in both languages, and people before emails', async t => {
  const { kernel, open, problems } = await startOwnConsole(t, { billing: {}, content: {} })
  const admin = await promote(kernel, await kernel.register('boss@example.test', { name: 'Berta Boss' }))
  const page = await open(admin, '')
  await waitForScreen(page)
  await page.keyboard.press('Control+k')
  const field = page.getByRole('dialog').getByRole('combobox')
  const options = page.getByRole('dialog').getByRole('option')
  for (const [typed, found] of [
    ['invite', /^Invite people/],
    ['einladen', /^Invite people/],
    ['grant', /^Grant credits/],
    ['page german', /^New page in German/],
    ['users', /^People/],
  ] as const) {
    await field.fill(typed)
    await options.filter({ hasText: found }).first().waitFor()
  }
  // What begins with the word comes before what contains it.
  await field.fill('pa')
  await options
    .first()
    .filter({ hasText: /^Pages/ })
    .waitFor()
  await options.nth(1).hover()
  await options.nth(1).and(page.locator('[aria-selected=true]')).waitFor()
  const screens = await checkScreen(page, 'palette')
  // "pa" has found their workspace.
  await field.fill('')
  await options.filter({ hasText: 'Berta Boss' }).first().waitFor({ state: 'detached' })
  await field.fill('boss@example')
  await options.filter({ hasText: 'Berta Boss' }).first().waitFor()
  const groups = await page.locator('[role=option] > span:last-child').allTextContents()
  t.is(groups[0], 'People', groups.join())

  await field.fill('page german')
  await page.keyboard.press('Enter')
  await page.waitForURL(/content\/pages\/new/)

  await page.evaluate(`localStorage.setItem('larder.console.language', '"de"')`)
  await page.reload()
  await waitForScreen(page)
  await page.keyboard.press('Control+k')
  for (const [typed, found] of [
    ['einladen', /^Personen einladen/],
    ['invite', /^Personen einladen/],
    ['guthaben', /^Guthaben gutschreiben/],
    ['nutzer', /^Personen/],
  ] as const) {
    await field.fill(typed)
    await options.filter({ hasText: found }).first().waitFor()
  }
  screens.push(...(await checkScreen(page, 'palette-de')))
  t.deepEqual(problems, [])
  t.deepEqual(screens, [])
})

/** Names that people give, at their worst. */
const ODD_NAMES = [
  `Workshop 11 🧰 ${'w'.repeat(60)}`,
  'Donaudampfschifffahrtselektrizitätenhauptbetriebswerk'.repeat(2).slice(0, 80),
  'ورشة الإصلاح الكبرى للمحركات البخارية',
  '👩🏽‍🚀'.repeat(11),
]

test.serial('a person of 60 workspaces searches the one to open, which another device opens, too', async t => {
  const { ada, url, open, problems } = await startOwnConsole(t, {})
  const names = Array.from({ length: 59 }, (_, at) => ODD_NAMES[at] ?? `Workshop ${at + 100}`)
  for (const name of names) {
    const { status } = await ada.post('/v1/identity/tenants', { name })
    if (status !== 201) throw new Error(`${name}: ${status}`)
  }
  const page = await open(ada, '')
  await waitForScreen(page)
  await page.getByRole('button', { name: /^Workspace: / }).click()
  const dialog = page.getByRole('dialog')
  t.is(await dialog.getByRole('listitem').count(), 60)
  const found = await checkScreen(page, 'switcher')
  await dialog.getByRole('searchbox').fill('workshop-11 wwww')
  await dialog.getByRole('button', { name: /^Workshop 11 🧰/u }).waitFor()
  t.is(await dialog.getByRole('listitem').count(), 1)
  await page.keyboard.press('Enter')
  await page.waitForURL(/\/console\/workshop-11/)
  await page.locator('header').getByText('Workshop 11 🧰').waitFor()

  // A second device: it has its own login, and no cookie that says a workspace.
  const other = await open({ email: ada.email, tenantId: '' }, '')
  await other.waitForURL(/\/console\/workshop-11/)
  await other.goto(`${url}/account`)
  await other.getByLabel(/^Workspace Workshop 11/).click()
  found.push(...(await checkScreen(other, 'switcher-of-pages')))
  await other.getByRole('link', { name: 'All workspaces' }).click()
  await other.getByRole('searchbox', { name: 'Name of the workspace' }).fill('الاصلاح')
  await other.keyboard.press('Enter')
  await other.getByRole('button', { name: /^Switch to / }).waitFor()
  t.is(await other.getByRole('button', { name: /^Switch to / }).count(), 1)
  found.push(...(await checkScreen(other, 'workspaces')))
  t.deepEqual(problems, [])
  t.deepEqual(found, [])
})
