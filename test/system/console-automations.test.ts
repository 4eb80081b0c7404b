/** Automations in the console: failed runs, and buttons of rows. */
import { fileURLToPath } from 'node:url'
import test from 'ava'
import type { Page } from 'playwright-core'
import type { Client, TestKernel } from '../../testing/index.ts'
import { knownClaimCode, peopleOf } from '../fixtures/people.ts'
import { failures } from '../modules/automations/desk/state.ts'
import { checkScreen, type OwnConsole, shareOwnConsole, type Visitor, waitForScreen } from './console-fixtures.ts'
import type { CleansUp } from './fixtures.ts'

const DESK = fileURLToPath(new URL('../modules/automations/desk/module.js', import.meta.url))
const MODULES = { collections: {}, automations: {}, messaging: {}, desk: { use: DESK } }
const RECIPE = {
  roles: {
    'tenant.support': { name: 'Support', permissions: ['collections.orders.*'] },
    'tenant.manager': { name: 'Manager', permissions: ['collections.orders.*'] },
  },
  collections: {
    orders: {
      title: { en: 'Orders', de: 'Bestellungen' },
      label: { en: 'Order', de: 'Bestellung' },
      fields: {
        number: { type: 'text', required: true },
        state: { type: 'enum', values: ['open', 'closed'], default: 'open' },
        margin: { type: 'text', read: ['tenant.manager'] },
      },
      search: ['number'],
    },
    notes: { fields: { text: { type: 'text', required: true } } },
  },
  automations: {
    'tell-the-warehouse': {
      label: { en: 'Tell the warehouse', de: 'Dem Lager Bescheid geben' },
      on: 'collections.orders.created',
      when: { 'row.state': { ne: 'closed' } },
      steps: [
        { 'desk.note': { text: 'Order {{row.number}}, margin {{row.margin}}' }, as: 'note' },
        { 'desk.call': { text: '$row.number' }, retry: { times: 0, within: '1s' } },
        { wait: '2d' },
        { 'desk.note': { text: 'Packed {{row.number}}' } },
      ],
    },
    refund: {
      button: {
        on: 'orders',
        label: { en: 'Refund', de: 'Erstatten' },
        roles: ['tenant.support'],
        input: {
          amount: { type: 'money', currency: 'EUR', required: true, min: 1, label: { en: 'Amount', de: 'Betrag' } },
          reason: {
            type: 'enum',
            values: ['broken', 'late'],
            label: { en: 'Reason', de: 'Grund' },
          },
          due: { type: 'date', label: { en: 'Due on', de: 'Fällig am' } },
          urgent: { type: 'boolean', label: { en: 'Urgent', de: 'Dringend' } },
        },
      },
      when: { 'row.state': 'open' },
      steps: [
        {
          ask: {
            role: 'tenant.manager',
            text: {
              en: 'Refund {{input.amount}} cents for {{row.number}}?',
              de: '{{input.amount}} Cent für {{row.number}} erstatten?',
            },
            choices: ['approve', 'reject'],
            timeout: '3d',
          },
          as: 'answer',
        },
        {
          'desk.note': { text: 'Refunded {{row.number}}' },
          when: { 'steps.answer.choice': 'approve' },
        },
      ],
    },
  },
}

interface Shop extends OwnConsole {
  readonly operator: Client & Visitor
}

const startOwn = shareOwnConsole(test, MODULES, RECIPE)

let operator: Promise<Client & Visitor> | undefined

async function start(t: CleansUp): Promise<Shop> {
  const own = await startOwn(t)
  operator ??= claim(own.kernel)
  return { ...own, operator: await operator }
}

async function claim(kernel: TestKernel): Promise<Client & Visitor> {
  const grace = await kernel.register('grace@example.test', { name: 'Grace Hopper' })
  await grace.post('/v1/auth/claim', { code: await knownClaimCode(kernel) })
  const { tenantId } = kernel.kernel.ports.operator
  return { ...kernel.as(grace.token, tenantId), email: grace.email, tenantId }
}

async function inGerman(page: Page): Promise<void> {
  await page.evaluate(`localStorage.setItem('larder.console.language', '"de"')`)
  await page.reload()
}

test.serial('an operator finds a failed run from home, reads its timeline, and retries it', async t => {
  const { ada, kernel, operator, problems, open } = await start(t)
  failures.set('A 17', 1)
  await ada.post('/v1/data/orders', { number: 'A 17', margin: '40 %' })
  await ada.post('/v1/data/orders', { number: 'A 18' })
  await kernel.settled()

  const page = await open(operator, '')
  const finding = page.getByRole('link', { name: 'Failed runs of automations' })
  await finding.getByText('1').waitFor()
  const found = await checkScreen(page, 'automations-home')
  await finding.click()
  await page.getByRole('heading', { name: 'Runs of automations', level: 1 }).waitFor()
  await page.getByRole('link', { name: 'tell-the-warehouse' }).waitFor()
  t.is(await page.getByRole('link', { name: 'tell-the-warehouse' }).count(), 1)
  found.push(...(await checkScreen(page, 'automations-runs')))
  await page.getByRole('link', { name: 'tell-the-warehouse' }).click()

  await page.getByRole('heading', { name: 'tell-the-warehouse', level: 1 }).waitFor()
  const timeline = page.getByRole('region', { name: 'Timeline' })
  await timeline.getByText('asked to fail: A 17').waitFor()
  await timeline.getByText('Write a note').first().waitFor()
  await timeline.getByText('Not begun').first().waitFor()
  for (const summary of await timeline.locator('summary').all()) await summary.click()
  found.push(...(await checkScreen(page, 'automations-run-failed')))

  await page.getByRole('button', { name: 'Retry', exact: true }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Retry' }).click()
  await page.getByText('The run continues.').waitFor()
  await timeline.getByText('For 2 days').waitFor()
  await timeline.getByText('Waiting').waitFor()
  t.is(await timeline.getByText('asked to fail: A 17').count(), 0)
  found.push(...(await checkScreen(page, 'automations-run-waiting')))
  await inGerman(page)
  await page.getByText('Zeitachse').waitFor()
  found.push(...(await checkScreen(page, 'automations-run-de')))

  await page.getByRole('button', { name: 'Abbrechen', exact: true }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Abbrechen', exact: true }).last().click()
  await page.getByText('Der Lauf ist abgebrochen.').waitFor()

  await page.getByRole('link', { name: 'Automatisierungen' }).first().click()
  await page.getByRole('link', { name: 'Dem Lager Bescheid geben' }).waitFor()
  found.push(...(await checkScreen(page, 'automations-list-de')))
  await page.getByRole('link', { name: 'Dem Lager Bescheid geben' }).click()
  await page.getByText('Wenn collections.orders.created geschieht').waitFor()
  await page.getByText('row.state ist nicht closed').waitFor()
  await page.getByText('2 Tage lang').waitFor()
  found.push(...(await checkScreen(page, 'automations-record-de')))
  t.deepEqual(problems, [])
  t.deepEqual(found, [])
})

test.serial('support presses a button with an amount, and reads the run in the tab of the row', async t => {
  const { ada, url, kernel, problems, open } = await start(t)
  const people = peopleOf(kernel)
  const support = await people.colleague(ada, ['tenant.support'], 'Sam Support')
  await people.colleague(ada, ['tenant.manager'], 'Mia Manager')
  const { body: order } = await ada.post<{ id: string }>('/v1/data/orders', { number: 'B 1', margin: '40 %' })
  const { body: closed } = await ada.post<{ id: string }>('/v1/data/orders', { number: 'B 2', state: 'closed' })
  await kernel.settled()

  const page = await open(support, `/collections/orders/${closed.id}`)
  await page.getByRole('heading', { name: 'B 2', level: 1 }).waitFor()
  await waitForScreen(page)
  t.is(await page.getByRole('button', { name: 'Refund' }).count(), 0)

  await page.goto(`${url}/console/${ada.tenantId}/collections/orders/${order.id}`)
  const button = page.getByRole('button', { name: 'Refund' })
  await button.click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('textbox', { name: 'Amount (EUR)' }).waitFor()
  const found = await checkScreen(page, 'automations-button')
  await dialog.getByRole('button', { name: 'Refund' }).click()
  await dialog.getByText('Fill in this field.').first().waitFor()
  await dialog.getByRole('textbox', { name: 'Amount (EUR)' }).fill('12.50')
  await dialog.getByRole('combobox', { name: /Reason/ }).selectOption('late')
  await dialog.getByRole('button', { name: 'Refund' }).click()
  await page.getByText('The automation has started.').waitFor()
  await kernel.settled()

  await page.getByRole('tab', { name: 'Automations' }).click()
  await page.getByRole('link', { name: 'refund' }).waitFor()
  found.push(...(await checkScreen(page, 'automations-tab')))
  await page.getByRole('link', { name: 'refund' }).click()
  const timeline = page.getByRole('region', { name: 'Timeline' })
  await timeline.getByText('Ask a question').waitFor()
  await waitForScreen(page)
  t.is(await page.getByRole('button', { name: 'Cancel' }).count(), 0)
  found.push(...(await checkScreen(page, 'automations-run-member')))
  await inGerman(page)
  await page.goto(`${url}/console/${ada.tenantId}/collections/orders/${order.id}`)
  await page.getByRole('button', { name: 'Erstatten' }).click()
  await page.getByRole('textbox', { name: 'Betrag (EUR)' }).waitFor()
  found.push(...(await checkScreen(page, 'automations-button-de')))

  t.deepEqual(problems, [])
  t.deepEqual(found, [])
})

test.serial('support presses a button on several rows at once, with one form', async t => {
  const { ada, kernel, problems, open } = await start(t)
  const people = peopleOf(kernel)
  const support = await people.colleague(ada, ['tenant.support'], 'Sam Support')
  await people.colleague(ada, ['tenant.manager'], 'Mia Manager')
  for (const number of ['C 1', 'C 2', 'C 3']) await ada.post('/v1/data/orders', { number, state: 'open' })
  await kernel.settled()

  const page = await open(support, '/collections/orders')
  await page.getByLabel('Select all loaded rows').check()
  await page.getByRole('button', { name: 'Refund' }).click()
  const dialog = page.getByRole('dialog', { name: 'Refund: 3 records?' })
  await dialog.getByRole('textbox', { name: 'Amount (EUR)' }).fill('0')
  const found = await checkScreen(page, 'automations-button-many')
  await dialog.getByRole('button', { name: 'Refund' }).click()
  await dialog.locator('[aria-invalid=true]').first().waitFor()
  found.push(...(await checkScreen(page, 'automations-button-many-refused')))
  await dialog.getByRole('textbox', { name: 'Amount (EUR)' }).fill('7.50')
  await dialog.getByRole('button', { name: 'Refund' }).click()
  await dialog.waitFor({ state: 'detached' })
  await kernel.settled()
  const runs = await kernel.automations.runs({ automation: 'refund', tenantId: ada.tenantId })
  t.deepEqual(
    runs.map(({ input }) => input),
    [1, 2, 3].map(() => ({ input: { amount: 750 } })),
  )

  await inGerman(page)
  await page.getByLabel('Alle geladenen Zeilen auswählen').check()
  await page.getByRole('button', { name: 'Erstatten' }).click()
  await page.getByRole('dialog', { name: 'Erstatten: 3 Einträge?' }).waitFor()
  found.push(...(await checkScreen(page, 'automations-button-many-de')))
  t.deepEqual(problems, [])
  t.deepEqual(found, [])
})
