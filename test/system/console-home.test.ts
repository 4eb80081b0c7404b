/** The home screen of the console: of operators, of editors and of customers. */
import test from 'ava'
import type { Page } from 'playwright-core'
import { waitFor } from '../fixtures/wait.ts'
import { colleague } from '../modules/identity/fixtures.ts'
import { promote } from '../modules/platform/fixtures.ts'
import { checkScreen, openFromNavigation, startOwnConsole, waitForScreen } from './console-fixtures.ts'
import { tabTo } from './keyboard.ts'

const MODULES = {
  billing: { provider: 'dev', defaultPlan: 'free' },
  collections: {},
  console: {
    customers: ['tickets', 'orders'],
    home: [
      { count: 'tickets', filter: { status: 'open' }, title: { en: 'Open tickets', de: 'Offene Tickets' } },
      { count: 'orders' },
      { chart: 'tickets', title: { en: 'New tickets', de: 'Neue Tickets' } },
      { chart: 'orders', by: 'week', time: 'paidAt', sum: 'total', title: 'Paid' },
    ],
  },
}
const MORE = {
  entitlements: { 'identity.seat': { kind: 'gauge', name: 'Seats' } },
  plans: { free: { name: 'Free', price: 0, currency: 'EUR', entitlements: { 'identity.seat': 3 } } },
  roles: {
    'tenant.agent': { name: 'Agent', permissions: ['collections.tickets.*', 'identity.member.read'] },
  },
  collections: {
    tickets: {
      title: { en: 'Tickets', de: 'Tickets' },
      label: { en: 'Ticket', de: 'Ticket' },
      fields: {
        subject: { type: 'text', required: true },
        status: { type: 'enum', values: ['open', 'solved'], default: 'open', index: true },
      },
      search: ['subject'],
    },
    orders: {
      title: { en: 'Orders', de: 'Bestellungen' },
      fields: { total: { type: 'money', currency: 'EUR' }, paidAt: { type: 'datetime', index: true } },
    },
  },
}
const LONG = `${'Donaudampfschifffahrtsgesellschaft'.repeat(5)} 🛠️ مرحبا`

const startHome = async (t: Parameters<typeof startOwnConsole>[0]) => {
  const started = await startOwnConsole(t, MODULES, MORE)
  const boss = await promote(
    started.kernel,
    await started.kernel.register('boss@example.test', { name: 'Grace Hopper' }),
  )
  return { ...started, boss }
}
const regionText = (page: Page, name: string) => page.getByRole('region', { name, exact: true }).innerText()
const slider = (page: Page) => page.getByRole('slider')

test.serial('an operator has three first steps, and each disappears when it is done', async t => {
  const { kernel, open, boss, problems } = await startHome(t)
  const page = await open(boss, '')
  await waitForScreen(page)
  const steps = page.getByRole('region', { name: 'First steps' }).getByRole('link')
  t.deepEqual(
    (await steps.allInnerTexts()).map(text => text.split('\n')[0]),
    ['Create your first ticket', 'Invite a colleague', 'Connect a mail server'],
  )
  const found = await checkScreen(page, 'home-first-visit')
  const { status } = await boss.post('/v1/data/tickets', { subject: LONG })
  t.is(status, 201)
  let answer = (): void => undefined
  const asked = new Promise<void>(resolve => {
    answer = resolve
  })
  await page.route('**/v1/platform/queue', async route => {
    await asked
    await route.continue()
  })
  await page.reload()
  await steps.first().waitFor()
  t.is(await page.getByRole('region', { name: 'Needs attention' }).count(), 0, 'it waits for the checks')
  answer()
  await waitForScreen(page)
  t.is(await steps.count(), 2)
  t.is(await page.getByText('Create your first ticket').count(), 0)
  await page.getByRole('link', { name: /^Connect a mail server/ }).click()
  await page.waitForURL(/\/platform\/settings$/)
  found.push(...(await checkScreen(page, 'home-mail')))
  t.is((await kernel.get('/v1/console/home')).status, 401)
  t.deepEqual([...problems, ...found], [])
})

test.serial('the chart tells its values by the arrow keys, and as a table, and follows the period', async t => {
  const { open, boss, problems } = await startHome(t)
  for (let n = 0; n < 3; n++) await boss.post('/v1/data/tickets', { subject: `Ticket ${n}` })
  await boss.post('/v1/data/orders', { total: 123_456_789_00, paidAt: new Date().toISOString() })
  await boss.post('/v1/data/orders', { total: -5000, paidAt: new Date(Date.now() - 8 * 86_400_000).toISOString() })
  const page = await open(boss, '')
  await waitForScreen(page)
  t.is(await slider(page).getAttribute('aria-label'), 'New tickets, Last 30 days')
  await tabTo(page, 'New tickets, Last 30 days')
  t.regex((await slider(page).getAttribute('aria-valuetext')) ?? '', /: New tickets 3, 30 days before 0$/)
  await page.keyboard.press('ArrowLeft')
  t.regex((await slider(page).getAttribute('aria-valuetext')) ?? '', /: New tickets 0, 30 days before 0$/)
  await page.keyboard.press('Home')
  t.is(await slider(page).getAttribute('aria-valuenow'), '0')
  await page.getByLabel('Period').selectOption({ label: 'Last 7 days' })
  await page.getByText('Values as a table').click()
  const table = page.getByRole('table', { name: 'New tickets, Last 7 days' })
  await table.waitFor()
  t.is(await table.getByRole('row').count(), 8)
  t.deepEqual(await table.getByRole('row').last().getByRole('cell').allInnerTexts(), ['3', '0'])
  const found = await checkScreen(page, 'home-chart')
  await page.getByLabel('Shown figures').selectOption({ label: 'Paid' })
  await waitForScreen(page)
  t.regex(await regionText(page, 'Paid'), /€123,456,739\.00|€123,456,789\.00/)
  found.push(...(await checkScreen(page, 'home-money')))
  for (const name of ['Monthly recurring revenue', 'Sign-ups']) {
    await page.getByLabel('Shown figures').selectOption({ label: name })
    await waitForScreen(page)
    found.push(...(await checkScreen(page, `home-${name.toLowerCase().replaceAll(' ', '-')}`)))
  }
  t.is(await slider(page).getAttribute('aria-label'), 'Sign-ups, Last 7 days')
  // Everybody signed up today: no line leads to the only value.
  await page.locator('[role=slider] circle').waitFor()
  t.regex((await slider(page).getAttribute('aria-valuetext')) ?? '', /: Sign-ups [1-9]/)
  t.deepEqual([...problems, ...found], [])
})

test.serial(
  'the document asks for all that the home screen shows, before the application has loaded, and once, and the first render shows it',
  async t => {
    const { kernel, open, boss, ada, problems } = await startHome(t)
    await ada.post('/v1/data/tickets', { subject: 'Printer is on fire' })
    const { person } = await colleague(kernel, ada, ['tenant.agent'])
    for (const [visitor, requests] of [
      [boss, 21],
      [ada, 12],
      [{ ...person, tenantId: ada.tenantId }, 8],
    ] as const) {
      // The second load of the page: its scripts can be held.
      const page = await open(visitor, '')
      await waitForScreen(page)
      let hasLoaded = false
      let release = (): void => undefined
      const released = new Promise<void>(resolve => {
        release = resolve
      })
      const [early, late]: [string[], string[]] = [[], []]
      page.on('request', request => {
        const { pathname, search } = new URL(request.url())
        // The names of people come from the answers.
        if (pathname.startsWith('/v1/') && pathname !== '/v1/platform/names')
          (hasLoaded ? late : early).push(pathname + search)
      })
      await page.route('**/console/assets/*.js', async route => {
        await released
        await route.continue()
      })
      let answered = 0
      page.on('requestfinished', request => {
        if (early.includes(request.url().slice(new URL(request.url()).origin.length))) answered++
      })
      // A chart loads its drawing code after the first render.
      await page.addInitScript(`new MutationObserver(() => {
        if (document.querySelector('main .spinner:not([class*=plot] *)')) globalThis.waited = true
      }).observe(document, { childList: true, subtree: true })`)
      await page.reload({ waitUntil: 'commit' })
      await waitFor(
        () => answered,
        count => count >= requests,
      )
      hasLoaded = true
      release()
      await waitForScreen(page)
      t.deepEqual(late, [])
      t.deepEqual(early, [...new Set(early)])
      t.deepEqual(await page.evaluate('[...globalThis.earlyAnswers.requests.keys()]'), [])
      t.is(await page.evaluate('globalThis.waited'), undefined)
    }
    t.deepEqual(problems, [])
  },
)

test.serial('who leaves the home screen before it is complete finds the present numbers when they return', async t => {
  const { open, boss, problems } = await startHome(t)
  const page = await open(boss, '')
  await waitForScreen(page)
  await page.route('**/v1/platform/queue', () => undefined)
  const [counted] = await Promise.all([
    page.waitForResponse(/\/v1\/data\/tickets\/aggregate/),
    page.reload({ waitUntil: 'commit' }),
  ])
  await counted.finished()
  await boss.post('/v1/data/tickets', { subject: 'Written since' })
  await openFromNavigation(page, 'Tickets')
  await page.getByRole('link', { name: 'Written since' }).waitFor()
  await page.unroute('**/v1/platform/queue')
  await openFromNavigation(page, 'Home')
  const numbers = page.getByRole('region', { name: 'At a glance', exact: true })
  const shown = await waitFor(
    () => numbers.innerText(),
    text => !text.includes('…'),
  )
  t.regex(shown, /Open tickets\s+\+1 this week\s+1\s/)
  t.deepEqual(problems, [])
})

test.serial(
  'people see the cards that they may read: an editor, and a customer without the tiles of operators',
  async t => {
    const { kernel, open, ada, problems } = await startHome(t)
    await ada.post('/v1/data/tickets', { subject: 'Printer is on fire' })
    await ada.post('/v1/data/tickets', { subject: 'Solved one', status: 'solved' })
    const page = await open(ada, '')
    await waitForScreen(page)
    const numbers = await regionText(page, 'At a glance')
    t.regex(numbers, /Open tickets\s+\+1 this week\s+1\s+Orders\s+0/)
    t.regex(await regionText(page, 'Recent activity'), /Ada Lovelace\s+created Printer is on fire\s+Ticket · /)
    t.regex(await regionText(page, 'Usage'), /Seats/)
    t.deepEqual(await page.getByLabel('Shown figures').locator('option').allInnerTexts(), ['New tickets', 'Paid'])
    t.is(await page.getByText('First steps').count(), 0)
    await page.locator('[role=slider] svg path').first().waitFor({ state: 'attached' })
    const found = await checkScreen(page, 'home-customer')
    await page.getByRole('link', { name: /^Open tickets/ }).click()
    await page.waitForURL(/collections\/tickets/)
    await waitForScreen(page)
    t.is(await page.getByRole('link', { name: 'Printer is on fire' }).count(), 1)
    t.is(await page.getByRole('link', { name: 'Solved one' }).count(), 0)

    await page.evaluate(`localStorage.setItem('larder.console.language', '"de"')`)
    await page.goto(page.url().replace(/collections.*/, ''))
    await waitForScreen(page)
    t.regex(await regionText(page, 'Auf einen Blick'), /Offene Tickets\s+\+1 diese Woche/)
    found.push(...(await checkScreen(page, 'home-customer-de')))

    const { person } = await colleague(kernel, ada, ['tenant.agent'])
    const editor = await open({ ...person, tenantId: ada.tenantId }, '')
    await waitForScreen(editor)
    const shown = await regionText(editor, 'At a glance')
    t.regex(shown, /Open tickets/)
    t.notRegex(shown, /Orders/)
    await editor.getByRole('heading', { name: 'New tickets' }).waitFor()
    t.is(await editor.getByText('Paid').count(), 0)
    found.push(...(await checkScreen(editor, 'home-editor')))
    t.deepEqual([...problems, ...found], [])
  },
)
