/** The navigation of the console: its groups, pins, and what was opened last. */
import test from 'ava'
import { promote } from '../modules/platform/fixtures.ts'
import {
  checkScreen,
  navigationOf,
  type OwnConsole,
  openFromNavigation,
  recordRequests,
  startOwnConsole,
  waitForScreen,
} from './console-fixtures.ts'
import type { CleansUp } from './fixtures.ts'
import { focused, press, tabTo } from './keyboard.ts'

const LONG = `Außergewöhnlichkeitsbescheinigungsverfahren 🧾 ${'x'.repeat(160)}`
const COLLECTIONS = {
  lessons: { title: 'Lessons', fields: { title: { type: 'text', required: true } }, search: ['title'], trash: '30d' },
  courses: { title: { en: 'Courses', de: 'دورات' }, fields: { title: { type: 'text', required: true } } },
  long: { title: LONG, fields: { title: { type: 'text' } } },
}

test.serial('lists the collections of the recipe, then groups that are closed but the current one', async t => {
  const { kernel, open, problems } = await startOwnConsole(
    t,
    {
      billing: {},
      collections: {},
      content: {},
      features: {},
      forms: {},
      webhooks: {},
      console: { sidebar: ['money'] },
    },
    { collections: COLLECTIONS },
  )
  const admin = await promote(kernel, await kernel.register('boss@example.test'))
  const page = await open(admin, '')
  await waitForScreen(page)
  const navigation = navigationOf(page)
  const shown = async () => await navigation.locator('a:visible, button[aria-expanded]:visible').allTextContents()
  t.deepEqual(await shown(), [
    'Home',
    'Money',
    'Lessons',
    'Courses',
    LONG,
    'People',
    'Content',
    'Messages',
    'Product',
    'Platform',
  ])
  const found = await checkScreen(page, 'navigation')

  // Opened with the keyboard, the group of the screen stays open; the others are closed.
  await navigation.getByRole('button', { name: 'Product' }).press('Enter')
  await navigation.getByRole('link', { name: 'Feature flags' }).press('Enter')
  await page.getByRole('heading', { name: 'Feature flags', level: 1 }).waitFor()
  t.deepEqual(await navigation.getByRole('button', { expanded: true }).allTextContents(), ['Product'])
  await page.reload()
  await waitForScreen(page)
  t.deepEqual(await navigation.getByRole('button', { expanded: true }).allTextContents(), ['Product'])
  found.push(...(await checkScreen(page, 'navigation-open')))

  // Only a name of more than two lines is cut.
  await navigation.getByRole('button', { name: 'People' }).click()
  const cut = await navigation
    .locator('a:visible > span')
    .evaluateAll(all =>
      all
        .filter(name => name.scrollWidth > name.clientWidth || name.scrollHeight > name.clientHeight)
        .map(({ textContent }) => textContent),
    )
  t.deepEqual(cut, [LONG])

  // What was opened last.
  await openFromNavigation(page, 'Lessons')
  await page.getByRole('heading', { name: 'Lessons', level: 1 }).waitFor()
  await navigation.getByRole('button', { name: 'Recent' }).click()
  await navigation
    .getByRole('list')
    .filter({ hasNotText: 'Lessons' })
    .getByRole('link', { name: 'Feature flags' })
    .last()
    .click()
  await page.getByRole('heading', { name: 'Feature flags', level: 1 }).waitFor()

  // A record that was deleted is no place to return to.
  await openFromNavigation(page, 'Lessons')
  await page.getByRole('link', { name: /^New / }).first().click()
  await page
    .getByLabel(/^Title/)
    .first()
    .fill('First lesson')
  await page.getByRole('button', { name: /^Create/ }).click()
  await page.getByRole('heading', { name: 'First lesson', level: 1 }).waitFor()
  await openFromNavigation(page, 'Home')
  const recent = navigation.getByRole('link', { name: 'First lesson', includeHidden: true })
  await recent.waitFor({ state: 'attached' })
  await recent.click()
  await page.getByRole('button', { name: /^Actions/ }).click()
  await page.getByRole('menuitem', { name: 'Delete' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click()
  await page.getByRole('heading', { name: 'Lessons', level: 1 }).waitFor()
  await recent.waitFor({ state: 'detached' })
  t.deepEqual(problems, [])
  t.deepEqual(found, [])
})

const cleanups: (() => unknown)[] = []
let own: OwnConsole
test.before(async () => {
  const file: CleansUp = { teardown: cleanup => void cleanups.push(cleanup) }
  own = await startOwnConsole(file, { collections: {}, forms: {} }, { collections: COLLECTIONS })
})
test.after.always(async () => {
  for (const cleanup of cleanups.reverse()) await cleanup()
})

test.serial('keeps pins for the next visit, and shows the trash as a tab of its list', async t => {
  const { ada, open, problems } = own
  const page = await open(ada, '/collections/lessons')
  await waitForScreen(page)
  const navigation = navigationOf(page)
  const pinned = navigation.getByRole('list', { name: 'Pinned' })
  await navigation.getByRole('button', { name: 'Pin Courses' }).press('Enter')
  t.deepEqual(await pinned.getByRole('link').allTextContents(), ['Courses'])
  await page.reload()
  await pinned.getByRole('link', { name: 'Courses' }).waitFor()
  await pinned.getByRole('button', { name: 'Unpin Courses' }).click()
  await pinned.waitFor({ state: 'detached' })

  const tabs = page.getByRole('navigation', { name: 'Lessons' })
  await tabs.getByRole('link', { name: 'Trash' }).click()
  await page.getByText('The trash is empty').waitFor()
  const found = await checkScreen(page, 'navigation-trash')
  await tabs.getByRole('link', { name: 'Lessons' }).click()
  await page.getByText('No lessons yet').waitFor()
  const rows = await navigation.locator('ul:not([data-within]) a').allTextContents()
  t.false(rows.some(title => title.includes('Trash')))
  t.deepEqual(problems, [])
  t.deepEqual(found, [])
})

const PHONE = { width: 390, height: 844 }

test.serial('on a phone, the menu opens, closes and leads on by the keyboard and by touch', async t => {
  const { ada, open, problems } = own
  const page = await open(ada, '')
  await waitForScreen(page)
  await page.setViewportSize(PHONE)
  const menu = page.getByRole('button', { name: 'Menu', exact: true })
  const link = navigationOf(page).getByRole('link', { name: 'Lessons', exact: true })
  await link.waitFor({ state: 'hidden' })
  await tabTo(page, 'Menu')
  await page.keyboard.press('Enter')
  await link.waitFor()
  t.is(await menu.getAttribute('aria-expanded'), 'true')
  await page.keyboard.press('Escape')
  await link.waitFor({ state: 'hidden' })
  t.is(await focused(page), 'Menu')
  await page.keyboard.press('Enter')
  await press(page, 'Lessons')
  await page.getByRole('heading', { name: 'Lessons', level: 1 }).waitFor()
  await link.waitFor({ state: 'hidden' })

  const storageState = await page.context().storageState()
  const context = await page
    .context()
    .browser()
    ?.newContext({ storageState, viewport: PHONE, hasTouch: true, locale: 'en' })
  if (!context) throw new Error('the page has no browser')
  const phone = await context.newPage()
  recordRequests(phone)
  await phone.goto(page.url())
  await waitForScreen(phone)
  await phone.getByRole('button', { name: 'Menu', exact: true }).tap()
  const courses = navigationOf(phone).getByRole('link', { name: 'Courses', exact: true })
  await courses.waitFor()
  const found = await checkScreen(phone, 'navigation-phone')
  await phone.setViewportSize(PHONE)
  const box = await courses.boundingBox()
  t.true((box?.height ?? 0) >= 44, JSON.stringify(box))
  await courses.tap()
  await phone.getByRole('heading', { name: 'Courses', level: 1 }).waitFor()
  await courses.waitFor({ state: 'hidden' })
  t.deepEqual(found, [])
  t.deepEqual(problems, [])
})
