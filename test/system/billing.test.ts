/** Forms, billing with the development provider, and messaging in a browser without JavaScript. */
import test from 'ava'
import { ENTITLEMENTS, PLANS } from '../modules/billing/fixtures.ts'
import { openBrowser, startBrowserKernel } from './fixtures.ts'
import { accessibilityProblems, signIn } from './site-fixtures.ts'

const ORDER = {
  name: 'Order',
  access: 'tenant',
  schema: {
    type: 'object',
    required: ['email', 'seats'],
    properties: { email: { type: 'string', format: 'email', title: 'E-mail' }, seats: { type: 'integer', minimum: 4 } },
  },
}

test.serial('a user without JavaScript submits a form, buys a plan, invites another member and cancels', async t => {
  const { url, kernel } = await startBrowserKernel({
    modules: { identity: {}, comms: { transport: 'mailbox' }, billing: {}, forms: {}, messaging: {} },
    entitlements: ENTITLEMENTS,
    plans: PLANS,
  })
  t.teardown(() => kernel.stop())
  const ada = await kernel.register('ada@example.test')
  const invite = (email: string) =>
    ada.post('/v1/identity/members/invite', { email, roles: ['tenant.member'], sendEmail: false })
  for (const email of ['one@example.test', 'two@example.test']) t.is((await invite(email)).status, 201)
  t.is((await invite('three@example.test')).status, 403)

  const browser = await openBrowser(t)
  const plain = await signIn(await browser.newContext({ javaScriptEnabled: false }), url, ada.email)
  const { body: form } = await ada.post('/v1/forms', ORDER)
  await plain.goto(`${url}/forms/${form.id}`)
  await plain.getByLabel('E-mail').fill('ada@example.test')
  await plain.getByLabel('Seats').fill('2')
  await plain.getByRole('button', { name: 'Send' }).click()
  await plain.getByRole('alert').getByRole('link', { name: 'Seats must be 4 or more.' }).waitFor()
  await plain.getByLabel('Seats').fill('25')
  await plain.getByRole('button', { name: 'Send' }).click()
  await plain.getByRole('status').getByText('Thanks!').waitFor()
  const sent = await ada.get(`/v1/forms/${form.id}/submissions`)
  t.deepEqual(
    sent.body.data.map(({ data }) => data),
    [{ email: 'ada@example.test', seats: 25 }],
  )

  await plain.goto(`${url}/billing`)
  await plain.getByRole('listitem').filter({ hasText: 'Seat' }).getByText('3 of 3').waitFor()
  await plain.getByRole('button', { name: 'Choose Pro' }).click()
  await plain.getByRole('status').getByText("You're now on Pro.").waitFor()
  await plain.getByRole('heading', { name: 'Pro Trial' }).waitFor()
  await plain.getByRole('listitem').filter({ hasText: 'Seat' }).getByText('3 of 25').waitFor()
  t.is((await invite('three@example.test')).status, 201)
  await plain.getByRole('button', { name: 'Cancel subscription' }).click()
  await plain.getByText('Ends on').waitFor()

  await plain.goto(`${url}/messages/new`)
  await plain.getByLabel('Subject').fill('Seats')
  await plain.getByLabel('Message').fill('We have 25 of them now.')
  await plain.getByRole('button', { name: 'Send' }).click()
  await plain.getByRole('heading', { name: 'Seats' }).waitFor()
  await plain.getByText('We have 25 of them now.').waitFor()

  const page = await signIn(await browser.newContext(), url, ada.email)
  for (const path of ['billing', 'messages/new']) {
    await page.goto(`${url}/${path}`)
    t.deepEqual(await accessibilityProblems(page, path), [])
  }
})
