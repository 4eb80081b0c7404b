/** The numbers of the business. */
import { readFile } from 'node:fs/promises'
import test from 'ava'
import { newEmail } from '../modules/identity/fixtures.ts'
import { BILLING, checkScreen, startConsole, waitForScreen } from './console-fixtures.ts'

test.serial('an operator reads the revenue by month and plan, and exports it', async t => {
  const { admin, kernel, open } = await startConsole(t, BILLING)
  const eve = await kernel.register(newEmail('eve'))
  await eve.post('/v1/billing/checkout', { planKey: 'pro' })
  await kernel
    .as(admin.token, eve.tenantId)
    .post('/v1/billing/dev/advance', { days: 15, payments: 'succeed', tenantId: eve.tenantId })
  const page = await open(admin, '/billing/revenue')
  const months = page.getByRole('region', { name: 'By month' }).getByRole('table')
  await months.waitFor()
  t.is(await months.getByRole('row').count(), 2)
  t.true((await months.getByRole('row').nth(1).getByRole('cell').allInnerTexts()).includes('€19.00'))
  await page.getByRole('row', { name: 'Pro €19.00 1' }).waitFor()
  const chart = page.getByRole('region', { name: 'Monthly recurring revenue' })
  t.is(await chart.count(), 0, 'one month is a number, and no chart')
  const found = await checkScreen(page, 'revenue')
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Export as CSV' }).click(),
  ])
  t.is(download.suggestedFilename(), 'revenue.csv')
  t.true((await readFile(await download.path(), 'utf8')).includes('recurring EUR pro'))
  await page.evaluate(`localStorage.setItem('larder.console.language', '"de"')`)
  await page.reload()
  await page.getByRole('heading', { name: 'Umsatz', exact: true }).waitFor()
  found.push(...(await checkScreen(page, 'revenue-de')))
  t.deepEqual(found, [])
})

test.serial(
  'the home screen says that its figures could not be loaded, and does not ask for them without end',
  async t => {
    const { admin, open } = await startConsole(t, BILLING)
    const page = await open(admin, '/billing/revenue')
    await waitForScreen(page)
    let asked = 0
    await page.route('**/v1/billing/admin/revenue?*', route => {
      asked++
      const problem = {
        status: 429,
        code: 'rate_limited',
        title: 'Too many requests',
        detail: 'Try again in a minute.',
      }
      return route.fulfill({ status: 429, contentType: 'application/problem+json', body: JSON.stringify(problem) })
    })
    await page.getByRole('link', { name: 'Home', exact: true }).click()
    await page.getByText('Try again in a minute.').waitFor()
    await page.waitForTimeout(500)
    t.true(asked <= 3, `${asked} requests`)
  },
)

test.serial('a customer has no revenue in the console', async t => {
  const { ada, open } = await startConsole(t, BILLING)
  const page = await open(ada, '/billing/overview')
  await waitForScreen(page)
  t.is(await page.getByRole('link', { name: 'Revenue' }).count(), 0)
})
