/** Jobs in the course marketplace, in a browser and in the clicks named. */
import { fileURLToPath } from 'node:url'
import test from 'ava'
import type { Page } from 'playwright-core'
import { packageRoot } from '../../kernel/base/package-root.ts'
import { startTestKernel, TEST_PASSWORD, type TestKernel } from '../../testing/index.ts'
import { freePort } from '../fixtures/free-port.ts'
import { findViolations } from './axe.ts'
import { openBrowser, submitSignIn } from './fixtures.ts'
import { accessibilityProblems } from './site-fixtures.ts'

let kernel: TestKernel
let url: string
test.before(async () => {
  const port = await freePort()
  url = `http://127.0.0.1:${port}`
  kernel = await startTestKernel({
    recipe: fileURLToPath(new URL('starters/marketplace/recipe.yaml', packageRoot)),
    env: { PORT: String(port), PUBLIC_URL: url },
  })
})
test.after.always(() => kernel?.stop())

/** Counts what a person clicks. */
function clicking(page: Page) {
  let clicks = 0
  return {
    count: () => clicks,
    async click(role: 'link' | 'button', name: string) {
      clicks++
      await page.getByRole(role, { name, exact: true }).first().click()
    },
  }
}

test.serial('a visitor without JavaScript searches and filters courses', async t => {
  const page = await (await openBrowser(t)).newPage({ javaScriptEnabled: false })
  await page.goto(url)
  await page.getByText('2 courses').waitFor()
  await page.getByRole('searchbox', { name: 'Search' }).fill('tournament')
  await page.keyboard.press('Enter')
  await page.getByText('1 course', { exact: true }).waitFor()
  t.deepEqual(await page.locator('.cover-card h3').allTextContents(), ['Chess for beginners'])
  t.is(await page.getByRole('searchbox', { name: 'Search' }).inputValue(), 'tournament')
  // The filter keeps the search.
  await page.getByRole('navigation', { name: 'Category' }).getByRole('link', { name: 'Music' }).click()
  await page.getByText('Nothing matches.').waitFor()
  await page.getByRole('navigation', { name: 'Category' }).getByRole('link', { name: 'All' }).click()
  await page.getByText('1 course', { exact: true }).waitFor()
  await page.getByRole('searchbox', { name: 'Search' }).fill('<b>"nothing"')
  await page.keyboard.press('Enter')
  await page.getByRole('link', { name: 'Show all' }).click()
  await page.getByText('2 courses').waitFor()
})

test.serial('the keyboard filters courses, whose times are in the time zone of the visitor', async t => {
  const context = await (await openBrowser(t)).newContext({ timezoneId: 'America/New_York', locale: 'en-US' })
  const page = await context.newPage()
  await page.goto(url)
  const chip = page.getByRole('navigation', { name: 'Level' }).getByRole('link', { name: 'Advanced' })
  await chip.focus()
  await page.keyboard.press('Enter')
  await page.getByText('1 course', { exact: true }).waitFor()
  t.is(await chip.getAttribute('aria-current'), 'true')
  // 18:00 UTC.
  t.regex((await page.locator('.cover-card time').textContent()) ?? '', /^Feb 1, 2027, 1:00\sPM$/)
})

for (const { path, name } of [
  { path: '/', name: 'list' },
  { path: '/?q=nothing', name: 'empty list' },
  { path: '/courses/jazz-piano', name: 'course' },
])
  test.serial(`the ${name} has no accessibility violations and doesn't move`, async t => {
    const page = await (await openBrowser(t)).newPage()
    await page.addInitScript(`window.shift = 0
      new PerformanceObserver(list => { for (const entry of list.getEntries()) window.shift += entry.value })
        .observe({ type: 'layout-shift', buffered: true })`)
    await page.goto(`${url}${path}`, { waitUntil: 'networkidle' })
    t.deepEqual(await accessibilityProblems(page, `marketplace-${name.replace(' ', '-')}`), [])
    await page.reload({ waitUntil: 'networkidle' })
    t.true(Number(await page.evaluate('window.shift')) < 0.02)
  })

test('a signed-in student enrolls in two clicks, and sees the course', async t => {
  const sam = await kernel.register('sam@example.test')
  const page = await (await openBrowser(t)).newPage()
  const { click, count } = clicking(page)
  await page.goto(`${url}/sign-in`)
  await submitSignIn(page, sam.email)
  await page.waitForURL(`${url}/`)
  await click('link', 'Chess for beginners')
  await click('button', 'Enroll')
  await page.waitForURL('**/my-courses')
  await page.getByRole('link', { name: 'Chess for beginners' }).waitFor()
  t.is(count(), 2)
  t.deepEqual(await findViolations(page), [])
  await page.goto(`${url}/courses/chess-for-beginners`)
  await page.getByText('Enrolled').waitFor()
  t.is(await page.getByRole('button', { name: 'Enroll' }).count(), 0)
})

test('a visitor signs up on the way to an enrollment, on a phone without JavaScript, in three clicks', async t => {
  const viewport = { width: 390, height: 844 }
  const page = await (await openBrowser(t)).newPage({ javaScriptEnabled: false, viewport })
  const { click, count } = clicking(page)
  await page.goto(`${url}/courses/jazz-piano`)
  const enroll = await page.getByRole('link', { name: 'Enroll', exact: true }).boundingBox()
  const outline = await page.getByRole('heading', { name: 'Outline' }).boundingBox()
  t.true(enroll !== null && outline !== null && enroll.y + enroll.height < outline.y)
  await click('link', 'Enroll')
  await page.getByRole('heading', { name: 'Create account' }).waitFor()
  await page.getByLabel('Email').fill('new@example.test')
  await page.getByLabel('Password', { exact: true }).fill(TEST_PASSWORD)
  await click('button', 'Create account')
  await page.waitForURL('**/courses/jazz-piano')
  await click('button', 'Enroll')
  await page.waitForURL('**/my-courses')
  await page.getByRole('link', { name: 'Jazz piano' }).waitFor()
  t.is(count(), 3)
})

test('a visitor with an account enrolls without JavaScript after signing in', async t => {
  const kim = await kernel.register('kim@example.test')
  const page = await (await openBrowser(t)).newPage({ javaScriptEnabled: false })
  const { click } = clicking(page)
  await page.goto(url)
  await click('link', 'Jazz piano')
  await click('link', 'Enroll')
  // The sign-up page leads on, too.
  await page.locator('main').getByRole('link', { name: 'Sign in' }).click()
  await submitSignIn(page, kim.email)
  await page.waitForURL('**/courses/jazz-piano')
  await click('button', 'Enroll')
  await page.waitForURL('**/my-courses')
  t.is(await page.getByRole('link', { name: 'Jazz piano' }).count(), 1)
})

test('a double click on Enroll creates one enrollment', async t => {
  const lee = await kernel.register('lee@example.test')
  const page = await (await openBrowser(t)).newPage()
  await page.goto(`${url}/sign-in?next=%2Fcourses%2Fjazz-piano`)
  await submitSignIn(page, lee.email)
  await page.getByRole('button', { name: 'Enroll' }).dblclick()
  // The second submission aborts the navigation of the first, for which waitForURL would fail.
  await page.getByRole('heading', { name: 'My courses' }).waitFor()
  await page.getByRole('link', { name: 'Jazz piano' }).waitFor()
  const { body } = await lee.get<{ data: unknown[] }>('/v1/data/enrollments')
  t.is(body.data.length, 1)
})

test('a student whose plan is full sees why, in German, and a link to the plans', async t => {
  const max = await kernel.register('max@example.test')
  const { body: account } = await max.get('/v1/auth/me')
  const { body: courses } = await kernel.get<{ data: { id: string }[] }>('/v1/data/courses')
  for (const { id } of courses.data)
    await max.post('/v1/data/enrollments', { course: id, student: account.memberships[0]?.id })
  const { systemDatabase, operator } = kernel.kernel.ports
  await systemDatabase.acrossTenants('a test publishes a course').query(
    `insert into data_courses (tenant_id, id, title, slug, published, created_at, updated_at, revision)
       values ($1, 'cou_01aaaaaaaaaaaaaaaaaaaaaaaa', 'Go', 'go', true, now(), now(), 1)`,
    [operator.tenantId],
  )
  const context = await (await openBrowser(t)).newContext({ locale: 'de-DE' })
  const page = await context.newPage()
  await page.goto(`${url}/sign-in?next=%2Fcourses%2Fgo`)
  await page.getByLabel('E-Mail').fill(max.email)
  await page.getByLabel('Passwort', { exact: true }).fill(max.password)
  await page.getByRole('button', { name: 'Anmelden' }).click()
  await page.getByRole('button', { name: 'Einschreiben' }).click()
  await page.getByRole('alert').getByText('Sie haben in diesem Monat 2 von 2 Einschreibungen genutzt.').waitFor()
  await page.getByRole('link', { name: 'Alle Tarife ansehen' }).click()
  await page.getByText('2 von 2 pro Monat').waitFor()
  t.is(new URL(page.url()).pathname, '/billing')
})
