/**
 * Work in the console goes on after the server was away and after the person proved who they are, and unsaved changes stop
 * a change of workspace.
 */
import test from 'ava'
import { type Person, TEST_PASSWORD, type TestKernel } from '../../testing/index.ts'
import { waitFor } from '../fixtures/wait.ts'
import { checkScreen, recordRequests, shareOwnConsole, startOwnConsole, waitForScreen } from './console-fixtures.ts'
import { createServerProcess, openBrowser, submitSignIn } from './fixtures.ts'

const start = shareOwnConsole(test, { webhooks: {} })
const EMAIL = 'ada@example.test'

test.serial('keeps what was typed while the server is away, and goes on when it is back', async t => {
  const server = await createServerProcess(t, {}, {}, { content: {}, console: { customers: 'all' } })
  const first = await server.start()
  const send = async (path: string, body: object, token?: string) => {
    const headers = { 'content-type': 'application/json', ...(token && { authorization: `Bearer ${token}` }) }
    const response = await fetch(server.url + path, { method: 'POST', headers, body: JSON.stringify(body) })
    return (await response.json()) as Record<string, string>
  }
  const { token } = await send('/v1/auth/register', { email: EMAIL, password: TEST_PASSWORD })
  const { id } = await send('/v1/content/pages', { slug: 'tea', title: 'Tea', body: 'Green tea' }, token)
  const readBody = async () => {
    const response = await fetch(`${server.url}/v1/content/pages/${id}`, {
      headers: { authorization: `Bearer ${token}` },
    })
    return ((await response.json()) as { body: string }).body
  }
  const browser = await openBrowser(t)
  const page = await (await browser.newContext({ locale: 'en' })).newPage()
  recordRequests(page)
  await page.goto(`${server.url}/console/content/pages/${id}`)
  await submitSignIn(page, EMAIL)
  const text = page.getByRole('textbox', { name: 'Text (Markdown)' })
  await text.waitFor()
  await waitForScreen(page)
  await text.fill('Black tea')

  first.child.kill('SIGKILL')
  await first.ended
  await page.getByRole('button', { name: 'Save draft' }).click()
  await page.getByText('The server can’t be reached. Retrying…').waitFor()
  await page.locator('.page > .notice', { hasText: 'Your input is kept.' }).waitFor()
  await text.press('End')
  await page.keyboard.type(' with milk')
  await text.getByText('Black tea with milk', { exact: true }).waitFor()

  await server.start()
  await page.getByText('Connection restored.').waitFor()
  await page.getByText('The server can’t be reached. Retrying…').waitFor({ state: 'detached' })
  t.is(await text.innerText(), 'Black tea with milk')
  await page.frameLocator('iframe.preview').getByText('Black tea with milk').waitFor()
  t.is(await readBody(), 'Green tea')
  await page.getByRole('button', { name: 'Save draft' }).click()
  await page.getByText('Draft saved.').waitFor()
  t.is(await readBody(), 'Black tea with milk')
})

test.serial('asks about unsaved changes before the workspace changes', async t => {
  const { ada, open, url } = await startOwnConsole(t, { content: {} })
  const other = await ada.post('/v1/identity/tenants', { name: 'Analysis' })
  t.is(other.status, 201)
  const page = await open(ada, '/content/pages/new')
  await page.getByLabel('Title').fill('Notes')
  const switchTo = async (name: string) => {
    await page.getByRole('button', { name: /^Workspace: / }).click()
    await page.getByRole('menuitemradio', { name }).click()
  }
  let requested: string | undefined
  page.on('request', request => {
    if (request.url().endsWith('/v1/me')) requested = request.headers()['x-tenant-id']
  })
  await switchTo('Analysis')
  await page.getByRole('alertdialog').getByRole('button', { name: 'Cancel' }).click()
  await page.getByRole('button', { name: 'Workspace: Engines' }).waitFor()
  t.not(requested, other.body.id)
  t.is(await page.getByLabel('Title').inputValue(), 'Notes')
  t.is(page.url(), `${url}/console/engines/content/pages/new`)

  await switchTo('Analysis')
  await page.getByRole('alertdialog').getByRole('button', { name: 'Leave' }).click()
  await page.getByRole('button', { name: 'Workspace: Analysis' }).waitFor()
  await waitFor(() => requested === other.body.id)
  t.is(page.url(), `${url}/console/analysis`)
  await page.goBack()
  await page.getByRole('button', { name: 'Workspace: Engines' }).waitFor()
  await waitFor(() => requested === ada.tenantId)
})

test.serial('keeps what was typed while the person proves who they are in another window', async t => {
  const { ada, kernel, problems, open } = await start(t)
  const page = await open(ada, '/webhooks/endpoints/new')
  await page.getByLabel('URL').fill('https://example.com/hook')
  await page.getByLabel('Search events').fill('identity')
  await page.getByRole('checkbox', { name: 'identity.*' }).check()
  await expireProofs(kernel, ada)
  await page.getByRole('button', { name: 'Create webhook endpoint' }).click()
  const dialog = page.getByRole('alertdialog', { name: 'Confirm your identity' })
  await dialog.waitFor()
  const found = await checkScreen(page, 'proof')
  await dialog.getByRole('button', { name: 'I’ve confirmed it' }).click()
  await dialog.getByRole('alert').waitFor()
  found.push(...(await checkScreen(page, 'proof-missing')))

  const opened = page.context().waitForEvent('page')
  await dialog.getByRole('button', { name: 'Confirm in a new window' }).click()
  const proof = await opened
  await proof.getByLabel('Password').fill(TEST_PASSWORD)
  await proof.getByRole('button', { name: 'Confirm and continue' }).click()
  await proof.waitForURL('**/account')
  await dialog.getByRole('button', { name: 'I’ve confirmed it' }).click()
  await page.getByRole('heading', { name: 'https://example.com/hook' }).waitFor()
  const { body } = await ada.get('/v1/webhooks/endpoints')
  t.deepEqual(
    body.data.map(({ url, events }) => [url, events]),
    [['https://example.com/hook', ['identity.*']]],
  )
  t.deepEqual([...problems, ...found], [])
})

test.serial('keeps what was typed when the person cancels the proof', async t => {
  const { ada, kernel, open } = await start(t)
  const page = await open(ada, '/webhooks/endpoints/new')
  await page.getByLabel('URL').fill('https://example.com/hook')
  await page.getByRole('checkbox', { name: 'identity.*' }).check()
  await expireProofs(kernel, ada)
  await page.getByRole('button', { name: 'Create webhook endpoint' }).click()
  const dialog = page.getByRole('alertdialog', { name: 'Confirm your identity' })
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  await dialog.waitFor({ state: 'detached' })
  t.is(await page.getByLabel('URL').inputValue(), 'https://example.com/hook')
  t.true(await page.getByRole('checkbox', { name: /^identity\.\* All/ }).isChecked())
})

/** All logins of the person need a new proof. */
async function expireProofs({ kernel }: TestKernel, { userId }: Person): Promise<void> {
  await kernel.ports.systemDatabase.acrossTenants('a test lets the proof of a login expire').query(
    // The change of `expires_at` ends what is remembered of the login.
    `update identity_logins set authenticated_at = now() - interval '1 hour', expires_at = expires_at + interval '1 s'
     where user_id = $1`,
    [userId],
  )
}
