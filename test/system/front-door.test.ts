/** What visitors see first: the landing page of the recipe, in a browser. */
import test from 'ava'
import { openBrowser, startBrowserKernel, submitSignIn } from './fixtures.ts'
import { accessibilityProblems } from './site-fixtures.ts'

const LONG = `Donaudampfschifffahrtsgesellschaftskapitän 🚢 ${'مرحبا '.repeat(8)}${'x'.repeat(100)}`.slice(0, 200)

const { url, kernel } = await startBrowserKernel({
  locales: { default: 'en', available: ['en', 'de', 'he'] },
  theme: { tokens: { accent: '#fff8a0' } },
  modules: { identity: {}, comms: { transport: 'mailbox' }, content: {}, billing: {}, collections: {} },
  entitlements: { 'courses.seats': { kind: 'gauge', name: { en: 'Seats', de: 'Plätze' } } },
  plans: {
    free: { name: { en: 'Free', de: 'Kostenlos' }, price: 0, entitlements: { 'courses.seats': 1 } },
    plus: { name: 'Plus', price: 1500, currency: 'EUR', trialDays: 14, entitlements: { 'courses.seats': -1 } },
  },
  collections: {
    courses: {
      fields: {
        title: { type: 'text', required: true },
        slug: { type: 'slug', from: 'title' },
        published: { type: 'boolean' },
      },
      access: { read: { anyone: { published: true } } },
      rows: [
        { title: 'Chess', published: true },
        { title: LONG, published: true },
        { title: 'A secret draft', published: false },
      ],
    },
  },
  pages: {
    home: {
      path: '/',
      title: { en: 'Learn together', de: 'Gemeinsam lernen' },
      template: 'landing',
      body: { en: 'We answer within a day.', de: 'Wir antworten binnen eines Tages.' },
      sections: [
        { hero: { text: { en: 'Courses for everybody.', de: 'Kurse für alle.' } } },
        {
          features: {
            title: LONG,
            items: [
              { icon: '♟', title: LONG, text: LONG },
              { icon: 'users', title: 'Small groups' },
            ],
          },
        },
        { collection: { title: 'Courses', collection: 'courses', card: { title: 'title' }, link: '/courses/:slug' } },
        { plans: { title: { en: 'Plans', de: 'Tarife' } } },
      ],
    },
    about: { title: 'About us' },
  },
  navigation: {
    main: [
      { label: 'Home', page: 'home' },
      { label: 'About', items: [{ label: 'About us', page: 'about' }] },
    ],
  },
})
test.after.always(() => kernel.stop())

const PHONE = { width: 390, height: 844 }

test.serial('a visitor without JavaScript reads the sections in German and signs up from a plan', async t => {
  const context = await (await openBrowser(t)).newContext({ javaScriptEnabled: false, locale: 'de' })
  const page = await context.newPage()
  await page.goto(url)
  await page.getByRole('heading', { level: 1, name: 'Gemeinsam lernen' }).waitFor()
  const main = page.getByRole('main')
  t.is(await main.getByRole('link', { name: 'Chess' }).getAttribute('href'), '/courses/chess')
  t.is(await main.getByText('A secret draft').count(), 0)
  t.deepEqual(
    await main.locator('.price strong').allTextContents(),
    ['Kostenlos', '15,00 €'].map(text => text.replace(' ', '\u00a0')),
  )
  t.is(await main.locator('.plan.recommended h3').textContent(), 'Plus Empfohlen')
  t.is(await main.getByText('Wir antworten binnen eines Tages.').count(), 1)
  const group = main.getByRole('listitem').filter({ hasText: 'Small groups' })
  t.is((await group.locator('svg').boundingBox())?.width, 22)
  t.is(await group.textContent(), 'Small groups')
  await main.getByRole('link', { name: 'Plus wählen' }).click()
  t.is(page.url(), `${url}/sign-up?next=%2Fbilling`)
})

test.serial('what plans bring is in the same row in all of them', async t => {
  const page = await (await openBrowser(t)).newPage()
  await page.goto(url)
  const tops = await page
    .locator('.plan .checks')
    .evaluateAll(lists => lists.map(list => list.getBoundingClientRect().top))
  t.is(tops.length, 2)
  t.is(tops[0], tops[1])
  t.is(await page.getByText('14-day free trial').count(), 1)
})

test.serial('on a phone, the header is one row, and its button opens the menu by keyboard', async t => {
  const context = await (await openBrowser(t)).newContext({ javaScriptEnabled: false, viewport: PHONE })
  const page = await context.newPage()
  await page.goto(url)
  const header = await page.getByRole('banner').boundingBox()
  t.true((header?.height ?? 0) < 70, `${header?.height}`)
  t.is(await page.getByRole('link', { name: 'Home' }).count(), 0)
  await page.getByRole('button', { name: 'Menu' }).focus()
  await page.keyboard.press('Enter')
  await page.getByRole('navigation', { name: 'Main' }).getByText('About', { exact: true }).click()
  await page.getByRole('link', { name: 'About us' }).click()
  await page.waitForURL(`${url}/about`)
})

test.serial(
  'the landing page has no accessibility violations with long titles and an accent without contrast',
  async t => {
    const browser = await openBrowser(t)
    const page = await browser.newPage({ viewport: PHONE })
    await page.goto(url)
    t.deepEqual(await accessibilityProblems(page, 'landing'), [])
    t.true(await page.evaluate('document.documentElement.scrollWidth <= document.documentElement.clientWidth'))
  },
)

test.serial('people who are signed in see where to go instead of how to sign up', async t => {
  const ada = await kernel.register('ada@example.test', { name: 'Ada' })
  const page = await (await openBrowser(t)).newPage()
  await page.goto(`${url}/sign-in`)
  await submitSignIn(page, ada.email)
  await page.waitForURL(`${url}/`)
  await page.getByRole('heading', { name: 'Where to next, Ada?' }).waitFor()
  t.is(await page.getByRole('link', { name: 'Create account' }).count(), 0)
  t.is(await page.getByRole('link', { name: 'Choose Plus' }).getAttribute('href'), '/billing')
})

test.serial('a language that is written from right to left mirrors the page, also on a phone', async t => {
  const browser = await openBrowser(t)
  for (const viewport of [PHONE, { width: 1280, height: 860 }]) {
    const page = await (await browser.newContext({ viewport, locale: 'he' })).newPage()
    const startOf = async (selector: string) => (await page.locator(selector).first().boundingBox())?.x ?? 0
    await page.goto(`${url}/problems`)
    t.is(await page.locator('html').getAttribute('dir'), 'rtl')
    t.true((await startOf('.bar .brand')) > viewport.width / 2)
    t.true((await startOf('.bar .account-links, .bar .button')) < viewport.width / 2)
    t.is(await page.evaluate('document.documentElement.scrollWidth - innerWidth'), 0)
    await page.goto(`${url}/problems?lang=en`)
    t.is(await page.locator('html').getAttribute('dir'), 'ltr')
    t.true((await startOf('.bar .brand')) < viewport.width / 2)
  }
})
