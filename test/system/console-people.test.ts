/** The console of a product of people, for its operators, staff and customers. */
import test from 'ava'
import type { Page } from 'playwright-core'
import { type Colleague, expectStatus, peopleOf } from '../fixtures/people.ts'
import { promote } from '../modules/platform/fixtures.ts'
import { IS_MATRIX } from './axe.ts'
import {
  checkScreen,
  navigationOf,
  type OwnConsole,
  recordRequests,
  searchFor,
  startOwnConsole,
  type Visitor,
  waitForScreen,
} from './console-fixtures.ts'
import { type CleansUp, openBrowser } from './fixtures.ts'
import { refusedLinksOf, screensOf } from './refused-links.ts'

const recipe = {
  product: { key: 'practice', name: 'Practice', publicUrl: 'http://localhost:8080', audience: 'people' },
  roles: {
    'tenant.reception': { name: 'Reception', permissions: ['collections.bookings.*', 'identity.member.read'] },
  },
  entitlements: {
    visits: { kind: 'gauge', name: 'Visits' },
    'ai.credits': { kind: 'credit', name: 'AI credits' },
  },
  plans: {
    free: { name: 'Free', price: 0, currency: 'EUR', entitlements: { visits: 2 } },
    plus: { name: 'Plus', price: 1500, currency: 'EUR', interval: 'month', entitlements: { visits: 50 } },
    care: { name: 'Care', price: 2500, currency: 'EUR', trialDays: 14, entitlements: { visits: 90 } },
  },
  collections: {
    bookings: {
      limit: 'visits',
      fields: {
        number: { type: 'text', sequence: 'B-{0000}' },
        subject: { type: 'text', required: true },
        room: { type: 'text', required: true },
        startsAt: { type: 'datetime', required: true },
        endsAt: { type: 'datetime', required: true },
        patient: { type: 'member', default: '$member' },
        status: {
          type: 'enum',
          values: ['booked', 'waiting', 'done'],
          default: 'booked',
          transitions: { booked: ['waiting', 'done'], waiting: ['booked'] },
        },
      },
      noOverlap: { by: ['room'], from: 'startsAt', to: 'endsAt' },
      search: ['subject'],
      access: {
        read: { 'tenant.customer': { patient: '$member' } },
        create: { 'tenant.customer': { patient: '$member' } },
      },
    },
  },
}
const modules = { console: {}, billing: { provider: 'dev' }, collections: {}, features: {}, platform: {}, webhooks: {} }

const cleanups: (() => unknown)[] = []
const file: CleansUp = { teardown: cleanup => void cleanups.push(cleanup) }
let own: OwnConsole
let admin: Visitor
let robin: Colleague
test.before(async () => {
  own = await startOwnConsole(file, modules, recipe)
  const boss = await promote(own.kernel, await own.kernel.register('boss@example.test', { name: 'Grace Hopper' }))
  admin = boss
  robin = await peopleOf(own.kernel).colleague(boss, ['tenant.reception'], 'Robin Reception')
})
test.after.always(async () => {
  for (const cleanup of cleanups.reverse()) await cleanup()
})

interface Booking {
  readonly id: string
  readonly status: string
}
let day = 0
/** On a day of its own. */
const timesOf = (offset = ++day) => ({
  startsAt: new Date(Date.UTC(2027, 0, offset, 9)).toISOString(),
  endsAt: new Date(Date.UTC(2027, 0, offset, 10)).toISOString(),
})
const book = async (subject: string, more: object = { room: 'Blue', ...timesOf() }): Promise<Booking> =>
  expectStatus(
    201,
    await own.ada.post('/v1/data/bookings' as never, { subject, ...more } as never),
  ) as unknown as Booking
const bookingNow = async ({ id }: Booking): Promise<Booking> =>
  expectStatus(200, await own.ada.get(`/v1/data/bookings/${id}` as never)) as unknown as Booking

const linksOf = (page: Page) => navigationOf(page).locator('a').allTextContents()

test.serial('an operator finds a customer, sees their usage and rows, and changes their plan', async t => {
  const { ada, open, problems } = own
  await book('First visit')
  const page = await open(admin, '/identity/customers')
  await searchFor(page.getByRole('searchbox', { name: 'Search customers' }), 'lovelace')
  await page.getByRole('link', { name: 'Ada Lovelace' }).click()
  await page.getByRole('heading', { name: 'Ada Lovelace', level: 1 }).waitFor()
  await page.getByText('1 of 2 used').waitFor()
  const found = await checkScreen(page, 'people-customer')
  await page.getByRole('button', { name: 'Actions: Ada Lovelace' }).click()
  await page.getByRole('menuitem', { name: 'Change plan' }).click()
  const dialog = page.getByRole('dialog', { name: 'Change the plan of Ada Lovelace' })
  await dialog.getByLabel('New plan').selectOption('plus')
  await dialog.getByLabel('Reason').fill('Agreed on the phone')
  await dialog.getByRole('button', { name: 'Change plan' }).click()
  await page.getByText('1 of 50 used').waitFor()
  t.is(expectStatus(200, await ada.get('/v1/billing/subscription')).planKey, 'plus')
  await page.getByRole('link', { name: 'Bookings: Patient' }).click()
  await page.getByRole('main').getByText('First visit').waitFor()
  t.deepEqual([found, problems], [[], []])
})

test.serial('staff sees the areas of their role, and completes a row after a confirmation', async t => {
  const row = await book('Check-up')
  const page = await own.open(robin, '')
  await waitForScreen(page)
  const links = await linksOf(page)
  t.true(
    ['Bookings', 'Customers', 'Staff'].every(link => links.includes(link)),
    links.join(),
  )
  t.false(['Invitations', 'Roles', 'Modules', 'Emails', 'Feature flags'].some(link => links.includes(link)))
  await page.goto(`${page.url().replace(/\/$/, '')}/collections/bookings/${row.id}`)
  await page.getByRole('button', { name: 'Done' }).click()
  const question = page.getByRole('alertdialog', { name: 'Set Status to “Done”?' })
  await question.waitFor()
  t.is((await bookingNow(row)).status, 'booked')
  await question.getByRole('button', { name: 'Done' }).click()
  await page.getByText('Changes saved.').waitFor()
  t.is((await bookingNow(row)).status, 'done')
})

test.serial('a customer signs up, buys a plan and sees their own usage', async t => {
  const browser = await openBrowser(t)
  const page = await browser.newPage({ locale: 'en' })
  recordRequests(page)
  await page.goto(`${own.url}/sign-up`)
  await page.getByLabel('Name').fill('Alan Turing')
  await page.getByLabel('Email').fill('alan@example.test')
  await page.getByLabel('Password', { exact: true }).fill('correct horse battery staple')
  await page.getByRole('button', { name: 'Create account' }).click()
  await page.waitForURL(address => !address.pathname.startsWith('/sign-up'))
  await page.goto(`${own.url}/billing`)
  await page.getByRole('button', { name: 'Choose Plus' }).click()
  await page.getByRole('heading', { name: 'Plus', level: 2 }).waitFor()
  const usage = page.getByRole('list', { name: 'Usage' }).getByRole('listitem').filter({ hasText: 'Visits' })
  t.regex(await usage.innerText(), /0 of 50/)
  await page.goto(`${own.url}/console`)
  await page.getByRole('heading', { name: 'Welcome to Practice', level: 1 }).waitFor()
  await waitForScreen(page)
  t.deepEqual(await linksOf(page), ['Home', 'Bookings', 'Your sign-ins', 'Plan and usage'])
})

test.serial(
  'the home screen of a product of people shows an operator the product, and a customer their own',
  async t => {
    const { kernel, open, problems } = own
    const maria = await kernel.register('maria@example.test', { name: 'Maria Mayer' })
    const at = timesOf()
    expectStatus(
      201,
      await maria.post('/v1/data/bookings' as never, { subject: 'Own visit', room: 'Red', ...at } as never),
    )
    const page = await open(admin, '')
    await waitForScreen(page)
    const textOf = (of: Page, name: string) => of.getByRole('region', { name, exact: true }).innerText()
    t.regex(await textOf(page, 'At a glance'), /Bookings\s+\+\d+ this week\s+\d+/)
    t.regex(await textOf(page, 'Recent activity'), /Maria Mayer\s+created Own visit\s+Booking · /)
    t.deepEqual((await page.getByLabel('Shown figures').locator('option').allInnerTexts()).slice(0, 2), [
      'Monthly recurring revenue',
      'Sign-ups',
    ])
    const found = await checkScreen(page, 'people-home')
    const theirs = await open(maria, '')
    await waitForScreen(theirs)
    t.regex(await textOf(theirs, 'At a glance'), /Bookings\s+\+1 this week\s+1$/)
    t.regex(await textOf(theirs, 'Usage'), /Visits\s+1 of 2 used/)
    t.is(await theirs.getByRole('region', { name: 'First steps' }).count(), 0)
    t.is(await theirs.getByRole('option', { name: 'Sign-ups' }).count(), 0)
    found.push(...(await checkScreen(theirs, 'people-home-customer')))
    t.deepEqual([found, problems], [[], []])
  },
)

test.serial('an operator suspends a customer, who reads it on each page, and reinstates them', async t => {
  const { kernel, url, open, problems } = own
  const grete = await kernel.register('grete@example.test', { name: 'Grete Hermann' })
  const page = await open(admin, `/identity/customers/${grete.userId}`)
  await page.getByRole('heading', { name: 'Grete Hermann', level: 1 }).waitFor()
  await page.getByRole('button', { name: 'Actions: Grete Hermann' }).click()
  await page.getByRole('menuitem', { name: 'Suspend' }).click()
  const dialog = page.getByRole('dialog', { name: 'Suspend Grete Hermann?' })
  await dialog.getByLabel('Reason').fill('Unpaid invoices')
  const found = await checkScreen(page, 'people-suspend-dialog')
  await dialog.getByRole('button', { name: 'Suspend' }).click()
  await page.getByText(/Suspended since .*: Unpaid invoices/).waitFor()
  found.push(...(await checkScreen(page, 'people-suspended-customer')))
  const theirs = await open(grete, '')
  await theirs.getByText('Your account is suspended: you can neither open nor change anything here.').waitFor()
  found.push(...(await checkScreen(theirs, 'people-suspended-console')))
  for (const path of ['/', '/account', '/billing']) {
    await theirs.goto(url + path)
    await theirs.getByRole('region', { name: 'Suspension' }).getByText('Reason: Unpaid invoices').waitFor()
    found.push(...(await checkScreen(theirs, `people-suspended${path.replaceAll('/', '-')}`)))
  }
  await page.getByRole('button', { name: 'Reinstate customer' }).click()
  const question = page.getByRole('dialog', { name: 'Reinstate Grete Hermann?' })
  await question.getByLabel('Reason').fill('Paid')
  await question.getByRole('button', { name: 'Reinstate customer' }).click()
  await page.getByText('Customer reinstated.').waitFor()
  await theirs.reload()
  t.is(await theirs.getByRole('region', { name: 'Suspension' }).count(), 0)
  t.deepEqual([found, problems.filter(problem => !/ 403 /.test(problem))], [[], []])
})

test.serial('an operator extends a trial and cancels the plan of a customer', async t => {
  const { kernel, open } = own
  const hedy = await kernel.register('hedy@example.test', { name: 'Hedy Lamarr' })
  expectStatus(201, await hedy.post('/v1/billing/checkout', { planKey: 'care' }))
  const current = async () => expectStatus(200, await hedy.get('/v1/billing/subscription'))
  const before = Date.parse(String((await current()).trialEndsAt))
  const page = await open(admin, `/identity/customers/${hedy.userId}`)
  const act = async (name: string) => {
    await page.getByRole('button', { name: 'Actions: Hedy Lamarr' }).click()
    await page.getByRole('menuitem', { name }).click()
  }
  await act('Extend trial')
  const trial = page.getByRole('dialog', { name: 'Extend the trial of Hedy Lamarr' })
  await trial.getByLabel('Reason').fill('Asked')
  const found = await checkScreen(page, 'people-trial-dialog')
  await trial.getByRole('button', { name: 'Extend trial' }).click()
  await page.getByText('Trial extended.').waitFor()
  const days = (Date.parse(String((await current()).trialEndsAt)) - before) / 86_400_000
  t.true(days > 13.9 && days < 14.1, String(days))
  await act('Cancel plan')
  const cancel = page.getByRole('dialog', { name: 'Cancel the plan of Hedy Lamarr?' })
  await cancel.getByLabel('Reason').fill('Asked')
  found.push(...(await checkScreen(page, 'people-cancel-dialog')))
  await cancel.getByRole('button', { name: 'Cancel plan' }).click()
  await page.getByText('Plan canceled.').waitFor()
  t.true((await current()).cancelAtPeriodEnd)
  t.deepEqual(found, [])
})

/** Addresses of screens that belong to the operator. */
const OPERATORS = [
  '/identity/customers',
  '/identity/staff',
  '/identity/people',
  '/billing/plans',
  '/billing/overview',
  '/features/flags',
  '/platform/modules',
  '/platform/events',
  '/webhooks/endpoints/new',
]

test.serial("a customer sees no operator's screen by typing its address", async t => {
  const page = await own.open(own.ada, '/collections/bookings')
  const base = page.url().replace('/collections/bookings', '')
  const typed = IS_MATRIX ? await screensOf(own, admin) : []
  for (const path of [...OPERATORS, ...typed, `/identity/customers/${own.ada.userId}`]) {
    if (path.startsWith('/collections')) continue
    await page.goto(base + path)
    await page.getByRole('heading', { name: 'Not part of this console', level: 1 }).waitFor()
  }
  t.true(!IS_MATRIX || typed.length > 15, typed.join())
})

test.serial("staff sees no operator's screen by typing its address", async t => {
  const page = await own.open(robin, '/collections/bookings')
  const base = page.url().replace('/collections/bookings', '')
  for (const path of ['/features/flags', '/platform/modules', '/platform/events', '/webhooks/endpoints/new']) {
    await page.goto(base + path)
    await page.getByRole('heading', { name: 'Page not found', level: 1 }).waitFor()
  }
  t.pass()
})

const refusedLinks = (visitor: Visitor) => refusedLinksOf(own, visitor)

test.serial('no link leads a customer to a screen that refuses them', async t => {
  t.deepEqual(await refusedLinks(own.ada), [])
})

test.serial('no link leads staff to a screen that refuses them', async t => {
  t.deepEqual(await refusedLinks(robin), [])
})

test.serial('no link leads an operator to a screen that refuses them', async t => {
  t.deepEqual(await refusedLinks(admin), [])
})
