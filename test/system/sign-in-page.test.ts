/** The pages for signing in and up, in a browser. */
import test from 'ava'
import { openBrowser, startBrowserKernel } from './fixtures.ts'
import { accessibilityProblems } from './site-fixtures.ts'

const { url, kernel } = await startBrowserKernel({
  locales: { default: 'en', available: ['en', 'de'] },
  modules: {
    identity: {
      terms: '/terms',
      privacy: 'https://acme.test/privacy',
      signIn: {
        password: {},
        emailLink: {},
        providers: {
          google: { clientId: 'a', clientSecret: 'b' },
          login: { clientId: 'a', clientSecret: 'b', issuer: 'https://login.acme.test', label: 'Acme Login' },
        },
      },
    },
    comms: { transport: 'mailbox' },
    content: {},
  },
  pages: { terms: { title: 'Terms' } },
})
test.after.always(() => kernel.stop())

for (const path of ['/sign-in', '/sign-up'])
  test.serial(`${path} has one wide button, other ways below "or", and the legal texts`, async t => {
    const context = await (await openBrowser(t)).newContext({ javaScriptEnabled: false, locale: 'de' })
    const page = await context.newPage()
    await page.goto(url + path)
    const main = page.getByRole('main')
    const [button, email] = [main.locator('form > button').first(), main.getByLabel('E-Mail')]
    t.is((await button.boundingBox())?.width, (await email.boundingBox())?.width)
    const divider = await main.getByText('Oder', { exact: true }).boundingBox()
    const google = await main.getByRole('link', { name: 'Mit Google fortfahren' }).boundingBox()
    t.true((divider?.y ?? 0) > ((await button.boundingBox())?.y ?? 0))
    t.true((google?.y ?? 0) > (divider?.y ?? 0))
    t.is(await main.getByRole('link', { name: 'Mit Google fortfahren' }).locator('svg').count(), 1)
    t.is(await main.getByRole('link', { name: 'Mit Acme Login fortfahren' }).locator('.initial').textContent(), 'A')
    t.is(
      await main.getByRole('link', { name: 'Datenschutzerklärung' }).getAttribute('href'),
      'https://acme.test/privacy',
    )
    await main.getByRole('link', { name: 'Nutzungsbedingungen' }).click()
    await page.waitForURL(`${url}/terms`)
  })

test.serial('a focused field keeps its corners', async t => {
  const page = await (await openBrowser(t)).newPage()
  await page.goto(`${url}/sign-in`)
  const corners = () => page.evaluate(`getComputedStyle(document.querySelector('#password')).borderRadius`)
  const before = await corners()
  await page.getByLabel('Password').focus()
  t.is(await page.evaluate(`document.querySelector('#password').matches(':focus-visible')`), true)
  t.is(await corners(), before)
})

test.serial('a button shows the password that is typed', async t => {
  const page = await (await openBrowser(t)).newPage()
  for (const path of ['/sign-in', '/sign-up']) {
    await page.goto(url + path)
    const password = page.getByLabel('Password')
    await password.fill('correct horse')
    const button = page.getByRole('button', { name: 'Show password' })
    await button.click()
    t.is(await password.getAttribute('type'), 'text')
    t.is(await button.getAttribute('aria-pressed'), 'true')
    t.true(await page.evaluate(`document.activeElement.id === 'password'`))
    t.deepEqual(await accessibilityProblems(page, `shown password of ${path}`), [])
    await button.press('Enter')
    t.is(await password.getAttribute('type'), 'password')
    await button.click()
    await page.evaluate(`{
      const { form } = document.querySelector('#password')
      form.addEventListener('submit', event => event.preventDefault())
      form.dispatchEvent(new Event('submit', { cancelable: true }))
    }`)
    t.is(await password.getAttribute('type'), 'password')
  }
})

test.serial('without JavaScript, no button for the password is offered', async t => {
  const context = await (await openBrowser(t)).newContext({ javaScriptEnabled: false })
  const page = await context.newPage()
  await page.goto(`${url}/sign-in`)
  t.is(await page.getByRole('button', { name: 'Show password' }).count(), 0)
})

test.serial('the sign-in page has no accessibility violations', async t => {
  const page = await (await openBrowser(t)).newPage()
  await page.goto(`${url}/sign-in`)
  t.deepEqual(await accessibilityProblems(page, 'sign-in'), [])
})
