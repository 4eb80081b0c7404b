/** A browser without JavaScript that pays by the development provider, and sees what it has bought. */
import test from 'ava'
import { startTestKernel } from '../../kernel/testing.ts'
import { ENTITLEMENTS, PLANS } from '../modules/billing/stage.ts'
import { faultsOf, signIn } from './site-stage.ts'
import { freePort, openBrowser } from './stage.ts'

test.serial('a person pays by a form and has more seats; canceled, they know until when', async t => {
  t.timeout(120_000)
  const port = await freePort()
  const url = `http://127.0.0.1:${port}`
  const kernel = await startTestKernel({
    env: { PORT: String(port), PUBLIC_URL: url },
    recipe: {
      product: { key: 'acme', name: 'Acme', publicUrl: url },
      modules: { identity: {}, comms: { transport: 'mailbox' }, billing: {} },
      entitlements: ENTITLEMENTS,
      plans: PLANS,
    },
  })
  t.teardown(() => kernel.stop())
  const ada = await kernel.register('ada@example.test')
  const invite = (email: string) =>
    ada.post('/v1/identity/members/invite', { email, roles: ['tenant.member'], sendEmail: false })
  for (const email of ['one@example.test', 'two@example.test']) t.is((await invite(email)).status, 201)
  t.is((await invite('three@example.test')).status, 403)

  const browser = await openBrowser(t)
  const plain = await signIn(await browser.newContext({ javaScriptEnabled: false }), url, ada.email)
  await plain.goto(`${url}/billing`)
  await plain.getByRole('row', { name: 'identity.seat 3 3' }).waitFor()
  await plain.getByRole('button', { name: 'Choose Pro' }).click()
  await plain.getByRole('status').getByText('The plan is yours.').waitFor()
  await plain.getByRole('heading', { name: 'Pro trial' }).waitFor()
  await plain.getByRole('row', { name: 'identity.seat 3 25' }).waitFor()
  t.is((await invite('three@example.test')).status, 201)
  await plain.getByRole('button', { name: 'Cancel at the end of the period' }).click()
  await plain.getByText('It ends on').waitFor()

  const page = await signIn(await browser.newContext(), url, ada.email)
  await page.goto(`${url}/billing`)
  t.deepEqual(await faultsOf(page, 'billing'), [])
})
