/** Jobs of people in the browser, in counted clicks. */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import test from 'ava'
import type { Page } from 'playwright-core'
import { TEST_PASSWORD } from '../../testing/index.ts'
import { knownClaimCode } from '../fixtures/people.ts'
import { waitFor } from '../fixtures/wait.ts'
import { createClicks } from './clicks.ts'
import { recordRequests, searchFor, startOwnConsole, waitForScreen } from './console-fixtures.ts'
import { openBrowser } from './fixtures.ts'

const editor = (page: Page) => page.getByRole('textbox', { name: 'Text (Markdown)' })

test.serial('a person claims the installation, publishes a first page and sees it in 8 clicks', async t => {
  const { kernel, url, ada, problems, open } = await startOwnConsole(t, { content: {} })
  const page = await (await openBrowser(t)).newPage({ locale: 'en' })
  recordRequests(page)
  const code = await knownClaimCode(kernel)
  await page.goto(`${url}/claim`)
  await page.getByRole('link', { name: 'Create account' }).last().click()
  await page.getByLabel('Name').fill('Grace Hopper')
  await page.getByLabel('Email').fill('grace@example.test')
  await page.getByLabel('Password', { exact: true }).fill(TEST_PASSWORD)
  await page.getByRole('button', { name: 'Create account' }).click()
  const { click, count } = createClicks()
  await page.getByLabel('Claim code').fill(code)
  await click(page.getByRole('button', { name: 'Claim' }))
  await page.waitForURL('**/welcome')
  await click(page.getByRole('link', { name: 'Write your first page' }))
  await page.getByLabel('Title').fill('About us')
  await editor(page).fill('We build *engines*.')
  await click(page.getByRole('button', { name: 'Save draft' }))
  await click(page.getByRole('button', { name: 'Publish', exact: true }))
  await page.locator('.badge', { hasText: 'Published' }).waitFor()
  await click(page.getByRole('button', { name: 'More actions' }))
  const opened = page.waitForEvent('popup')
  await click(page.getByRole('menuitem', { name: 'View page' }))
  const site = await opened
  await site.locator('em', { hasText: 'engines' }).waitFor()
  t.is(await site.locator('h1').innerText(), 'About us')
  t.true(count() <= 8, `${count()} clicks`)

  // Another device opens the workspace of the operator, and there is no other one.
  const device = await open({ email: 'grace@example.test', tenantId: '' }, '')
  await device.waitForURL(/\/console\/operator/)
  await waitForScreen(device)
  await device.getByRole('button', { name: /^Workspace: / }).click()
  await device.getByRole('menuitemradio').first().waitFor()
  t.is(await device.getByRole('menuitemradio').count(), 1)

  // The site doesn't show pages of other workspaces, so the console offers none there.
  const owner = await open(ada, '')
  await owner.getByRole('heading', { name: 'Needs attention' }).waitFor()
  await waitForScreen(owner)
  t.is(await owner.getByRole('link', { name: 'Pages' }).count(), 0)
  t.deepEqual(problems, [])
})

test.serial(
  'an operator fixes a typo and adds to a menu in 2 clicks each, and resets both to the recipe in 3',
  async t => {
    const { kernel, url, ada, problems, open } = await startOwnConsole(
      t,
      { content: { editable: true } },
      {
        pages: {
          home: { path: '/', title: 'Our shop', body: 'Welcom to our shop.' },
          terms: { title: 'Terms', body: 'Be kind.', editable: false },
        },
        navigation: { main: [{ label: 'Sign up', path: '/sign-up' }] },
      },
    )
    const { operator } = kernel.kernel.ports
    await ada.post('/v1/auth/claim', { code: await knownClaimCode(kernel) })
    const page = await open({ email: ada.email, tenantId: operator.tenantId }, '/content/pages')
    const edit = createClicks()
    await edit.click(page.getByRole('link', { name: 'Our shop', exact: true }))
    await editor(page).fill('Welcome to our shop.')
    await edit.click(page.getByRole('button', { name: 'Publish', exact: true }))
    await page.getByText('Page published.').waitFor()
    // Publishing saved the draft, too, which needs no message of its own.
    t.is(await page.getByRole('region', { name: 'Notifications' }).getByRole('paragraph').count(), 1)
    t.is(edit.count(), 2)
    const home = async () => (await kernel.get<string>('/', { headers: { accept: 'text/html' } })).body
    t.regex(await home(), /Welcome to our shop\./)

    const reset = createClicks()
    await reset.click(page.getByRole('button', { name: 'More actions' }))
    await reset.click(page.getByRole('menuitem', { name: 'Reset to recipe' }))
    await reset.click(page.getByRole('alertdialog').getByRole('button', { name: 'Reset to recipe' }))
    await editor(page).getByText('Welcom to our shop.').waitFor()
    t.is(reset.count(), 3)
    t.regex(await home(), /Welcom to our shop\./)

    await page.goto(`${url}/console/content/menus/main`)
    const add = createClicks()
    await add.click(page.getByRole('button', { name: 'Add item' }))
    await page.getByLabel('Label: item 2').fill('Home <b>page</b>')
    await page.getByLabel('Page: Home <b>page</b>').selectOption({ label: 'Our shop' })
    await add.click(page.getByRole('button', { name: 'Save menu' }))
    await page.getByText('Menu saved.').waitFor()
    t.is(add.count(), 2)
    t.regex(await home(), /<a href="\/"[^>]*>\s*Home &lt;b&gt;page/)
    const restore = createClicks()
    await restore.click(page.getByRole('button', { name: 'Actions: main' }))
    await restore.click(page.getByRole('menuitem', { name: 'Reset to recipe' }))
    await restore.click(page.getByRole('alertdialog').getByRole('button', { name: 'Reset to recipe' }))
    await page.getByLabel('Label: Home <b>page</b>').waitFor({ state: 'detached' })
    await page.getByLabel('Label: Sign up').waitFor()
    t.is(restore.count(), 3)
    t.notRegex(await home(), /Home &lt;b&gt;page/)

    // A page that only the recipe may change says so before anything is typed.
    await page.getByRole('link', { name: 'Pages', exact: true }).first().click()
    await page.getByRole('link', { name: 'Terms', exact: true }).click()
    await page.getByText('pages.terms.editable: true').waitFor()
    await page.locator('[aria-readonly="true"]').and(editor(page)).waitFor()
    t.is(await page.getByRole('button', { name: 'Save draft' }).count(), 0)
    t.is(new URL(page.url()).origin, url)
    t.deepEqual(problems, [])
  },
)

test.serial(
  'an operator helps a customer: every step takes at most 3 clicks, and is recorded with its reason',
  async t => {
    const { kernel, url, ada, problems, open } = await startOwnConsole(
      t,
      { billing: { provider: 'dev', defaultPlan: 'free' }, collections: {}, content: {} },
      {
        collections: {
          notes: {
            label: 'Note',
            title: 'Notes',
            search: ['title'],
            fields: { title: { type: 'text', required: true } },
          },
        },
        navigation: { main: [{ label: 'Sign up', path: '/sign-up' }] },
        redirects: [{ from: '/join', to: '/sign-up' }],
        entitlements: { 'ai.credits': { kind: 'credit', name: 'AI credits' } },
        plans: {
          free: { name: 'Free', price: 0, currency: 'EUR' },
          pro: { name: 'Pro', price: 1900, currency: 'EUR', interval: 'month' },
        },
      },
    )
    const { operator } = kernel.kernel.ports
    await ada.post('/v1/auth/claim', { code: await knownClaimCode(kernel) })
    const bob = await kernel.register('bob@example.test', { name: 'Bob Noyce', workspaceName: 'Silicon' })
    await kernel.settled()
    const page = await open({ email: ada.email, tenantId: operator.tenantId }, '/')
    await waitForScreen(page)
    const dialog = page.getByRole('dialog')
    const find = async (words: string, result: string) => {
      await page.keyboard.press('Control+k')
      await dialog.getByRole('combobox').fill(words)
      return page.getByRole('option', { name: result }).first()
    }
    /** Opens an action from the menu of the workspace, and confirms it with a reason. */
    const act = async (
      action: string,
      confirm: string,
      reason: string,
      fill: () => Promise<unknown> = async () => {},
    ) => {
      const { click, count } = createClicks()
      await click(page.getByRole('button', { name: 'Actions: Silicon' }))
      await click(page.getByRole('menuitem', { name: action }))
      await fill()
      await dialog.getByLabel('Reason').fill(reason)
      await click(dialog.getByRole('button', { name: confirm }))
      await dialog.waitFor({ state: 'detached' })
      t.is(count(), 3, action)
    }

    const mail = createClicks()
    await mail.click(await find('bob@example', 'Welcome to'))
    await mail.click(page.getByRole('button', { name: 'Send again' }))
    await dialog.getByLabel('Reason').fill('Ticket 1: lost')
    await mail.click(dialog.getByRole('button', { name: 'Send again' }))
    await page.getByText('The email is sent again.').waitFor()
    t.is(mail.count(), 3)

    await (await find('silic', 'Silicon')).waitFor()
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'Silicon' }).waitFor()
    await act('Change plan', 'Change plan', 'Ticket 2: upgrade', () =>
      dialog.getByLabel('New plan').selectOption('pro'),
    )
    await act('Grant or refund credits', 'Grant credits', 'Ticket 3: outage', () =>
      dialog.getByLabel('Amount').fill('50'),
    )
    await page.getByText('50 remaining').waitFor()
    const used = await bob.post(
      '/v1/billing/credits/consume',
      { key: 'ai.credits', amount: 20, reason: 'Summary' },
      { headers: { 'idempotency-key': 'summary-1' } },
    )
    t.is(used.status, 201)
    await act('Grant or refund credits', 'Refund a consumption', 'Ticket 6: it failed', async () => {
      await dialog.getByLabel('Change', { exact: true }).selectOption('Refund a consumption')
      await dialog.getByLabel('Amount').fill('20')
      await dialog.getByLabel('ID of the consumption').fill(used.body.id)
    })
    await page.getByText('50 remaining').waitFor()
    await act('Grant or refund credits', 'Take credits back', 'Ticket 7: granted twice', async () => {
      await dialog.getByLabel('Change', { exact: true }).selectOption('Take credits back')
      await dialog.getByLabel('Amount').fill('10')
    })
    await page.getByText('40 remaining').waitFor()
    await act('Suspend', 'Suspend', 'Ticket 4: abuse')
    await page.getByText('Ticket 4: abuse').waitFor()
    t.is((await bob.get('/v1/identity/members')).status, 403)

    const resume = createClicks()
    await resume.click(page.getByRole('button', { name: 'Resume' }))
    await dialog.getByLabel('Reason').fill('Ticket 5: resolved')
    await resume.click(dialog.getByRole('button', { name: 'Resume' }))
    await page.getByText('Ticket 4: abuse').waitFor({ state: 'detached' })
    t.is(resume.count(), 2)

    const impersonate = createClicks()
    await impersonate.click(page.getByRole('button', { name: 'Actions: Bob Noyce' }))
    await impersonate.click(page.getByRole('menuitem', { name: 'Act as this person' }))
    await dialog.getByText('impersonation: true').waitFor()
    t.is(impersonate.count(), 2)

    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'detached' })

    // A row of the operator's own workspace, by part of its name, and words that are patterns elsewhere.
    await kernel.as(ada.token, operator.tenantId).post('/v1/data/notes', { title: "100% of Ann's notes" })
    await (await find("ann's", "100% of Ann's notes")).waitFor()
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: "100% of Ann's notes", level: 1 }).waitFor()
    await page.keyboard.press('Control+k')
    await page.getByRole('dialog').getByRole('combobox').fill('%%')
    await page.getByText('Nothing matches “%%”.').waitFor()
    await page.keyboard.press('Escape')

    // What only the recipe may change is read-only from the start.
    await page.goto(`${url}/console/content/menus/main`)
    await page.getByText('modules.content.editable: true').waitFor()
    t.true(await page.getByLabel('Label: Sign up').isDisabled())
    t.is(await page.getByRole('button', { name: 'Save menu' }).count(), 0)
    await page.goto(`${url}/console/content/redirects`)
    await page.getByText('/join').waitFor()
    t.is(await page.getByRole('button', { name: 'Actions: /join' }).count(), 0)

    const { body } = await bob.get('/v1/identity/audit')
    const reasons = body.data.flatMap(({ details: { reason } }) => reason ?? [])
    t.deepEqual(reasons, [
      'Ticket 5: resolved',
      'Ticket 4: abuse',
      'Ticket 7: granted twice',
      'Ticket 6: it failed',
      'Ticket 3: outage',
      'Ticket 2: upgrade',
      'Ticket 1: lost',
    ])
    t.deepEqual(problems, [])
  },
)

test.serial('the owner of a stream sees its picture and goes live in 3 clicks, and shares it in 1', async t => {
  const { ada, url, problems, open } = await startOwnConsole(t, {
    sessions: {},
    streams: { edge: { secret: 'of the edge' } },
  })
  const { body } = await ada.post('/v1/streams', { title: 'Launch' })
  const page = await open(ada, `/streams/streams/${body.id}`)
  const live = createClicks()
  const opened = page.waitForEvent('popup')
  await live.click(page.getByRole('link', { name: 'Go live' }))
  const stage = await opened
  await stage.getByText('Directly to a few viewers').click()
  await live.click(stage.getByRole('button', { name: 'Test pattern' }))
  await live.click(stage.getByRole('button', { name: 'Go live' }))
  await stage.locator('#broadcast[data-state=connected]').waitFor()
  t.is(live.count(), 3)

  const share = createClicks()
  await share.click(stage.getByRole('button', { name: 'Share', exact: true }))
  const link = await waitFor(
    () => stage.getByLabel('Viewer link', { exact: true }).inputValue(),
    value => value !== '',
  )
  t.true(link.startsWith(`${url}/watch/${body.id}#st_`))
  t.is(share.count(), 1)
  await stage.getByRole('button', { name: 'Create address for OBS' }).click()
  await stage.getByLabel('Bearer token', { exact: true }).waitFor()
  t.regex(await stage.getByLabel('Bearer token', { exact: true }).inputValue(), /^st_/)
  t.is(await stage.getByLabel('Server (WHIP)').inputValue(), `http://localhost:8889/live/${body.id}/whip`)

  await page.goto(link)
  await page.locator('#watch video').waitFor()
  await stage.getByText('1 viewer').waitFor()
  t.deepEqual(problems, [])
})

test.serial('a developer sends events to a local server, and sees the answer to a test, in 4 clicks', async t => {
  const { ada, problems, open } = await startOwnConsole(t, { sessions: {}, webhooks: {} })
  const server = createServer((_, response) => response.writeHead(200).end('Thank you!'))
  await new Promise<void>(resolve => server.listen(0, 'localhost', resolve))
  t.teardown(() => server.close())
  const page = await open(ada, '/webhooks/endpoints/new')
  const { click, count } = createClicks()
  await page.getByLabel('URL').fill(`http://localhost:${(server.address() as AddressInfo).port}/hook`)
  await page.getByLabel('Search events').fill('session.*')
  await click(page.getByRole('checkbox', { name: 'sessions.session.*' }))
  t.true(await page.getByRole('listitem').filter({ hasText: 'sessions.session.*' }).first().isVisible())
  await click(page.getByRole('button', { name: 'Create webhook endpoint' }))
  await click(page.getByRole('tab', { name: 'Test' }))
  await click(page.getByRole('button', { name: 'Send a test event' }))
  await page.getByText('The receiver has accepted the test event.').waitFor()
  await page.getByText('Thank you!').waitFor()
  t.is(count(), 4)
  t.deepEqual(problems, [])
})

test.serial('an operator rolls a flag out to a quarter of a plan, for everybody, in 5 clicks', async t => {
  const { kernel, ada, problems, open } = await startOwnConsole(t, { features: {} })
  await ada.post('/v1/auth/claim', { code: await knownClaimCode(kernel) })
  const { operator } = kernel.kernel.ports
  const page = await open({ email: ada.email, tenantId: operator.tenantId }, '/features/flags/new')
  const { click, count } = createClicks()
  await page.getByLabel('Key', { exact: true }).fill('new-editor')
  await page.getByLabel('Applies to').selectOption({ label: 'Every workspace' })
  await click(page.getByRole('button', { name: 'Create feature flag' }))
  await click(page.getByRole('tab', { name: 'Rules' }))
  await click(page.getByRole('button', { name: 'Add rule' }))
  await click(page.getByRole('button', { name: 'Add condition' }))
  await page.getByLabel('Attribute: Rule 1').fill('tenant.plan')
  await page.getByText('Did you mean “plan”?').waitFor()
  await page.getByLabel('Attribute: Rule 1').fill('plan')
  await page.getByLabel('Comparison: Rule 1').selectOption({ label: 'is' })
  await page.getByLabel('Value: Rule 1').fill('pro')
  await page.getByLabel('Rollout').fill('25')
  await click(page.getByRole('button', { name: 'Save rules' }))
  await page.getByText('Rules saved.').waitFor()
  t.is(count(), 5)
  const { body } = await ada.get<object>('/v1/features/new-editor')
  t.like(body, { managedBy: 'operator', rules: [{ when: { plan: { eq: 'pro' } }, rollout: 25, value: true }] })

  // Whether a person of another workspace gets the flag.
  const bob = await kernel.register('bob@example.test', { name: 'Bob <b>N</b>', workspaceName: 'Silicon <i>1</i>' })
  const rules = [{ when: { tenant: bob.tenantId }, value: true }]
  t.is((await kernel.as(ada.token, operator.tenantId).patch('/v1/features/new-editor', { rules })).status, 200)
  const evaluation = createClicks()
  await evaluation.click(page.getByRole('tab', { name: 'Evaluation' }))
  await page.getByLabel(/^For/).selectOption('a member of any workspace')
  await searchFor(page.getByLabel('Find a workspace'), 'silic')
  await page.locator('option:checked', { hasText: 'bob@example.test' }).waitFor({ state: 'attached' })
  await evaluation.click(page.getByRole('button', { name: 'Evaluate' }))
  await page.getByText('Rule 1 matches.').waitFor()
  t.is(evaluation.count(), 2)
  t.deepEqual(problems, [])
})
