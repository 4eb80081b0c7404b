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
  const options = page.getByRole('option')
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
  const screens = await checkScreen(page, 'palette')
  await field.fill('boss@example')
  await options.filter({ hasText: 'Berta Boss' }).first().waitFor()
  const groups = await page.locator('[role=option] > span:last-child').allTextContents()
  t.is(groups[0], 'People', groups.join())

  await field.fill('page german')
  await page.keyboard.press('Enter')
  await page.waitForURL(/content\/pages\/new/)
  t.deepEqual(problems, [])
  t.deepEqual(screens, [])
})

test.serial('a person of many workspaces searches the one to open', async t => {
  const { ada, open, problems } = await startOwnConsole(t, {})
  for (let number = 1; number <= 12; number++)
    await ada.post('/v1/identity/tenants', { name: `Workshop ${number} 🧰 ${'w'.repeat(60)}` })
  const page = await open(ada, '')
  await waitForScreen(page)
  await page.getByRole('button', { name: /^Workspace: / }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('searchbox').fill('workshop 11')
  await dialog.getByRole('button', { name: /^Workshop 11/ }).waitFor()
  const found = await checkScreen(page, 'switcher')
  await page.keyboard.press('Enter')
  await page.waitForURL(/\/console\/workshop-11/)
  t.deepEqual(problems, [])
  t.deepEqual(found, [])
})
