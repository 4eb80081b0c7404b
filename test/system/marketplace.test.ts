/** Jobs in the course marketplace, in a browser and in the clicks named. */
import { fileURLToPath } from 'node:url'
import test from 'ava'
import type { Page } from 'playwright-core'
import { packageRoot } from '../../kernel/base/package-root.ts'
import { startTestKernel, type TestKernel } from '../../testing/index.ts'
import { freePort } from '../fixtures/free-port.ts'
import { findViolations } from './axe.ts'
import { openBrowser, submitSignIn } from './fixtures.ts'

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

test('a visitor searches courses and sees their prices, without a script error or a violation', async t => {
  const page = await (await openBrowser(t)).newPage()
  await page.goto(url)
  await page.getByLabel('Search courses').fill('tournament')
  await page.keyboard.press('Enter')
  await page.getByText('€49.00').waitFor()
  t.is(await page.getByRole('heading', { level: 2 }).count(), 1)
  t.is(await page.getByLabel('Search courses').inputValue(), 'tournament')
  t.deepEqual(await findViolations(page), [])
  await page.getByLabel('Search courses').fill('<b>"nothing"')
  await page.keyboard.press('Enter')
  await page.getByText('No course matches your search.').waitFor()
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

test('a visitor enrolls without JavaScript after signing in, in three clicks', async t => {
  const kim = await kernel.register('kim@example.test')
  const page = await (await openBrowser(t)).newPage({ javaScriptEnabled: false })
  const { click, count } = clicking(page)
  await page.goto(url)
  await click('link', 'Jazz piano')
  await click('link', 'Enroll')
  await submitSignIn(page, kim.email)
  await page.waitForURL('**/courses/jazz-piano')
  await click('button', 'Enroll')
  await page.waitForURL('**/my-courses')
  t.is(await page.getByRole('link', { name: 'Jazz piano' }).count(), 1)
  t.is(count(), 3)
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
  await page.getByRole('button', { name: 'Teilnehmen' }).click()
  t.regex((await page.getByRole('alert').textContent()) ?? '', /Tarif/)
  await page.getByRole('link', { name: 'Tarife ansehen' }).waitFor()
})
