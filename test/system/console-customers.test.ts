/** What customers see of the console. */
import test from 'ava'
import { promote } from '../modules/platform/fixtures.ts'
import { checkScreen, navigationOf, startOwnConsole, waitForScreen } from './console-fixtures.ts'

const COLLECTIONS = {
  courses: { fields: { title: { type: 'text', required: true } }, search: ['title'], trash: '30d' },
  notes: { fields: { text: { type: 'text' } } },
}
/** Addresses of screens that belong to the operator. */
const HIDDEN = [
  '/comms/messages',
  '/comms/templates',
  '/comms/suppressions',
  '/comms/find',
  '/billing/overview',
  '/billing/entitlements',
  '/platform/modules',
  '/platform/events',
  '/platform/dead-letters',
  '/platform/jobs',
  '/platform/status',
  '/webhooks/endpoints/new',
  '/collections/notes',
  '/identity/people',
  '/comms',
]

test.serial('customers see the areas that the recipe names, and the pages of their workspace', async t => {
  const { ada, kernel, open, problems } = await startOwnConsole(
    t,
    { billing: {}, collections: {}, forms: {}, webhooks: {}, console: { customers: ['courses', 'forms'] } },
    { collections: COLLECTIONS },
  )
  const page = await open(ada, '')
  await waitForScreen(page)
  // A group of one entry is a row.
  t.deepEqual(await navigationOf(page).locator('button[aria-expanded]').allTextContents(), ['People'])
  const links = await navigationOf(page).locator('a').allTextContents()
  t.true(['Courses', 'Forms', 'Members', 'Plan and usage'].every(link => links.includes(link)))
  t.false(['Notes', 'Emails', 'Webhook endpoints', 'Limits', 'Modules', 'Events'].some(link => links.includes(link)))
  const found = await checkScreen(page, 'customer-home')
  await page.goto(`${page.url().replace(/\/$/, '')}/forms`)
  await page.getByRole('main').getByRole('link', { name: 'Forms' }).waitFor()
  await page.getByRole('link', { name: 'Plan and usage' }).first().click()
  await page.waitForURL(/\/billing/)

  const admin = await promote(kernel, await kernel.register('boss@example.test'))
  const operators = await open(admin, '')
  await waitForScreen(operators)
  const all = await navigationOf(operators).locator('a').allTextContents()
  t.deepEqual(
    ['Courses', 'Notes', 'Emails', 'Webhook endpoints', 'Limits', 'Modules'].filter(link => !all.includes(link)),
    [],
    all.join(),
  )
  t.deepEqual(problems, [])
  t.deepEqual(found, [])
})

test.serial('the address of a hidden screen leads to a page that says so, with a way home', async t => {
  const { ada, open } = await startOwnConsole(
    t,
    { billing: {}, collections: {}, webhooks: {}, console: { customers: ['courses'] } },
    { collections: COLLECTIONS },
  )
  const found: string[] = []
  const page = await open(ada, '/collections/courses')
  const base = page.url().replace('/collections/courses', '')
  for (const path of HIDDEN) {
    await page.goto(base + path)
    await page.getByRole('heading', { name: 'Not part of this console', level: 1 }).waitFor()
  }
  found.push(...(await checkScreen(page, 'customer-hidden')))
  await page.getByRole('link', { name: 'Back to home' }).click()
  await page.getByRole('heading', { name: /Welcome/, level: 1 }).waitFor()
  t.deepEqual(found, [])
})

test.serial('an operator who looks into the console of a customer sees no link that refuses them', async t => {
  const { ada, kernel, url, open } = await startOwnConsole(
    t,
    { billing: {}, collections: {}, console: { customers: 'all' } },
    { collections: COLLECTIONS },
  )
  const admin = await promote(kernel, await kernel.register('boss@example.test'))
  const page = await open({ email: admin.email, tenantId: ada.tenantId }, '')
  await waitForScreen(page)
  const hrefs = await navigationOf(page)
    .locator('a')
    .evaluateAll(links => links.map(link => link.getAttribute('href') ?? ''))
  t.true(hrefs.length > 1)
  t.false(hrefs.some(href => href.startsWith('/workspace/')))
  for (const href of hrefs) t.is((await page.request.get(url + href)).status(), 200, href)
})

test.serial('a suspended customer reads it on every screen', async t => {
  const { ada, kernel, open } = await startOwnConsole(t, { forms: {}, console: { customers: ['forms'] } })
  const admin = await promote(kernel, await kernel.register('boss@example.test'))
  const suspended = await admin.post(`/v1/identity/admin/tenants/${ada.tenantId}/suspend`, { reason: 'Unpaid' })
  t.true(suspended.status < 300)
  const page = await open(ada, '')
  const banner = page.getByRole('alert').filter({ hasText: 'This workspace is suspended' })
  await banner.waitFor()
  t.is(await page.getByText('No areas available').count(), 0)
  const found = await checkScreen(page, 'customer-suspended')
  const base = page.url().replace(/\/$/, '')
  for (const [path, title] of [
    ['/forms/forms', 'Forms'],
    ['/forms/forms/new', 'Forms'],
    ['/identity', 'People and access'],
    ['/nowhere/at-all', undefined],
  ] as const) {
    await page.goto(base + path)
    await banner.waitFor()
    if (title !== undefined) await page.getByRole('heading', { level: 1, name: title }).waitFor()
    t.is(await page.getByText('Something went wrong').count(), 0, path)
  }
  await page.evaluate(`localStorage.setItem('larder.console.language', '"de"')`)
  await page.goto(base)
  await page.getByRole('alert').filter({ hasText: 'Dieser Workspace ist gesperrt' }).waitFor()
  found.push(...(await checkScreen(page, 'customer-suspended-de')))
  t.deepEqual(found, [])
})
