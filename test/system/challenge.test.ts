import test from 'ava'
import { startTestKernel, type TestKernel } from '../../testing/index.ts'
import { freePort } from '../fixtures/free-port.ts'
import { newEmail } from '../modules/identity/fixtures.ts'
import { findViolations } from './axe.ts'
import { openBrowser, submitSignIn } from './fixtures.ts'

let kernel: TestKernel
let url: string
test.before(async () => {
  const port = await freePort()
  url = `http://localhost:${port}`
  const recipe = {
    product: { key: 'acme', name: 'Acme', publicUrl: url },
    modules: { identity: { signIn: { challenge: { after: 1 } } }, comms: { transport: 'mailbox' } },
  }
  kernel = await startTestKernel({ env: { PORT: String(port), PUBLIC_URL: url }, recipe })
})
test.after.always(() => kernel?.stop())

test('a browser solves the challenge after a failed sign-in and signs in with it', async t => {
  const person = await kernel.register(newEmail('challenged'))
  const page = await (await openBrowser(t)).newPage({ locale: 'en' })
  await page.goto(`${url}/sign-in?next=%2Faccount`)
  await page.getByLabel('Email').fill(person.email)
  await page.getByLabel('Password', { exact: true }).fill('a wrong password')
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.getByText('Your browser has solved the task.').waitFor()
  t.deepEqual(await findViolations(page), [])
  await submitSignIn(page, person.email)
  await page.waitForURL('**/account')
  t.pass()
})
