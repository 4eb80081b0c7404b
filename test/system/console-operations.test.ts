/** Screens of the console for operators: overview, platform, emails. */
import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import test from 'ava'
import { waitFor } from '../fixtures/wait.ts'
import { BILLING, checkScreen, startConsole, waitForScreen } from './console-fixtures.ts'

test.serial('an operator sees what needs attention, inspects an event and replays it', async t => {
  const { admin, ada, fail, kernel, open } = await startConsole(t)
  await fail(ada)
  await kernel.post('/v1/flaky/mended')
  const page = await open(admin, '')
  await page.getByRole('link', { name: /Failed events and jobs/ }).waitFor()
  const found = await checkScreen(page, 'home')
  await page.getByRole('link', { name: /Failed events and jobs/ }).click()
  await page.getByRole('heading', { name: 'Failed events' }).waitFor()

  await page.getByRole('link', { name: 'Status' }).click()
  await page.getByText('Failed permanently').waitFor()
  found.push(...(await checkScreen(page, 'status')))

  await page.getByRole('link', { name: 'Recipe' }).click()
  await page.getByText('"password": "***"').waitFor()
  found.push(...(await checkScreen(page, 'recipe')))
  const download = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Download' }).click()
  t.is((await download).suggestedFilename(), 'recipe.json')

  await page.getByRole('link', { name: 'Modules' }).click()
  await page.getByRole('link', { name: 'identity', exact: true }).click()
  await page.getByRole('heading', { name: 'Permissions' }).click()
  await page.locator('code', { hasText: /^identity\.role\.create$/ }).waitFor()
  found.push(...(await checkScreen(page, 'module')))

  await page.getByRole('link', { name: 'Events', exact: true }).click()
  await page.getByRole('link', { name: 'flaky.thing.made' }).click()
  await page.getByText('Dead', { exact: true }).waitFor()
  found.push(...(await checkScreen(page, 'event')))
  await page.getByRole('button', { name: 'Retry unfinished deliveries' }).click()
  await page.getByText('1 delivery restarted.').waitFor()
  await kernel.settled()
  await page.reload()
  await page.getByText('Done', { exact: true }).waitFor()
  await waitForScreen(page)
  t.is(await page.getByRole('button', { name: 'Retry unfinished deliveries' }).count(), 0)
  t.deepEqual(found, [])
})

test.serial('an owner finds a lost email, reads it, and edits a template with a preview', async t => {
  const { ada, kernel, open } = await startConsole(t)
  await ada.post('/v1/communications/messages', {
    templateKey: 'comms.test',
    to: 'reader@example.test',
    data: { note: '<script>document.title = "run"</script>' },
  })
  await kernel.settled()
  const page = await open(ada, '/comms/find')
  await page.getByLabel('Email address').fill('nobody@example.test')
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: 'No email was sent to this address' }).waitFor()
  await page.getByLabel('Email address').fill('reader@example.test')
  await page.getByRole('button', { name: 'Search', exact: true }).click()
  await page.locator('.found-emails a').waitFor()
  const found = await checkScreen(page, 'find')
  await page.locator('.found-emails a').click()
  const mail = page.frameLocator('.mail-frame')
  await mail.locator('body').waitFor()
  found.push(...(await checkScreen(page, 'email')))
  t.not(await page.title(), 'run')

  await page.getByRole('link', { name: 'Email templates' }).click()
  await page.locator('tbody').getByRole('link', { name: 'Test', exact: true }).click()
  await page.getByLabel('Subject').fill('A new subject of {{product.name}}')
  await page.getByText('A new subject of Test').waitFor()
  found.push(...(await checkScreen(page, 'template')))
  await page.getByLabel('HTML', { exact: true }).fill('<p>{{#if}}</p>')
  await page.getByText('The preview could not be rendered.').waitFor()
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await page.getByRole('alert').first().waitFor()
  await page.getByLabel('HTML', { exact: true }).fill('<p>Hello</p>')
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await page.getByText('The text was saved.').waitFor()
  await page.getByRole('button', { name: 'Restore the original' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Restore the original' }).click()
  await page.getByText('The original is used again.', { exact: true }).waitFor()
  await page.getByRole('button', { name: 'Send a test email' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Send a test email' }).click()
  await page.getByText(`A test email was sent to ${ada.email}.`).waitFor()
  t.deepEqual(found, [])
})

test.serial('an owner creates an endpoint, inspects and repeats a delivery, and verifies its signature', async t => {
  const received: { headers: IncomingHttpHeaders; body: string }[] = []
  const receiver = createServer(async (request, response) => {
    let body = ''
    for await (const chunk of request) body += chunk
    received.push({ headers: request.headers, body })
    response.end('thank you')
  }).listen(0, '127.0.0.1')
  await once(receiver, 'listening')
  t.teardown(() => receiver.close())
  const target = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/hook`
  const { ada, kernel, open } = await startConsole(t)
  const page = await open(ada, '/webhooks/endpoints/new')
  await page.getByLabel(/^URL/).fill(target)
  await page.getByLabel('Search events').fill('identity')
  await page.getByRole('checkbox', { name: 'identity.*' }).check()
  await page.getByRole('button', { name: /^Create/ }).click()
  await page.getByRole('heading', { name: target }).waitFor()
  const id = page.url().split('/').at(-1) ?? ''
  await ada.post(`/v1/webhooks/endpoints/${id}/test`)
  await kernel.settled()

  await page.getByRole('tab', { name: 'Signing secret' }).click()
  await page.getByRole('button', { name: 'Show secret' }).click()
  const shown = page.locator('.secret-value', { hasText: /^whsec_/ })
  const secret = (await shown.textContent()) ?? ''
  const found = await checkScreen(page, 'secret')
  await page.getByRole('button', { name: 'Rotate secret' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Rotate secret' }).click()
  await page.getByText(/The secret was rotated/).waitFor()
  await waitFor(async () => (await shown.textContent()) !== secret)

  await page.getByRole('link', { name: 'Deliveries', exact: true }).click()
  await page.locator('tbody a').first().click()
  await page.getByText('thank you').waitFor()
  found.push(...(await checkScreen(page, 'delivery')))
  await page.getByRole('button', { name: 'Send again' }).click()
  await page.getByText('The delivery is sent again.').waitFor()
  await waitFor(async () => received.length === 2)

  const [first] = received
  await page.getByRole('link', { name: 'Signature tester' }).click()
  await page.getByLabel('Signing secret').fill(secret)
  for (const name of ['webhook-id', 'webhook-timestamp', 'webhook-signature'])
    await page.getByLabel(name, { exact: true }).fill(String(first?.headers[name]))
  await page.getByLabel('Request body').fill(String(first?.body))
  await page.getByRole('button', { name: 'Check signature' }).click()
  await page.getByText('The signature is valid.').waitFor()
  found.push(...(await checkScreen(page, 'signature')))
  await page.getByLabel('Request body').fill('{}')
  await page.getByRole('button', { name: 'Check signature' }).click()
  await page.getByText('doesn’t match').waitFor()
  found.push(...(await checkScreen(page, 'signature-invalid')))
  t.deepEqual(found, [])
})

test.serial('an operator sees plan and usage, grants credits with a reason, and advances the clock', async t => {
  const { admin, open } = await startConsole(t, BILLING)
  t.is((await admin.post('/v1/billing/checkout', { planKey: 'pro' })).status, 201)
  const page = await open(admin, '/billing/overview')
  await page.getByText('1 of 10 used').waitFor()
  await page.getByText('Trial', { exact: true }).first().waitFor()
  const found = await checkScreen(page, 'billing')
  await page.getByLabel('Days').fill('15')
  await page.getByRole('button', { name: 'Advance' }).click()
  await page.getByText('Active', { exact: true }).waitFor()

  await page.getByRole('link', { name: 'Credits', exact: true }).click()
  await page.getByRole('button', { name: 'Grant credits' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel(/^Key/).fill('ai.credits')
  await dialog.getByLabel(/^Amount/).fill('100')
  await dialog.getByLabel(/^Reason/).fill('Goodwill')
  await dialog.getByRole('button', { name: 'Grant credits' }).click()
  await page.getByText('Grant credits: done.').waitFor()
  await page.getByRole('link', { name: 'Credit transactions' }).click()
  await page.getByText('Goodwill').waitFor()

  await page.getByRole('link', { name: 'Plan and usage' }).click()
  await page.getByText('100 remaining').waitFor()
  await page.getByRole('button', { name: 'Cancel plan' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Cancel plan' }).click()
  await page.getByText('Plan ends', { exact: true }).waitFor()
  await page.getByRole('button', { name: 'Resume plan' }).click()
  await page.getByText('The plan continues.').waitFor()
  t.deepEqual(found, [])
})
