/** A conversation of two people in two browsers. */
import test, { type ExecutionContext } from 'ava'
import { peopleOf } from '../fixtures/people.ts'
import { waitFor } from '../fixtures/wait.ts'
import { say, talk } from '../modules/messaging/fixtures.ts'
import { openBrowser, startBrowserKernel } from './fixtures.ts'
import { accessibilityProblems, signIn } from './site-fixtures.ts'

async function startMessages(t: ExecutionContext) {
  const { url, kernel } = await startBrowserKernel({
    locales: { default: 'en', available: ['en', 'de'] },
    modules: { identity: {}, comms: { transport: 'mailbox' }, messaging: {} },
  })
  t.teardown(() => kernel.stop())
  const ada = await kernel.register('ada@example.test', { name: 'Ada Lovelace', workspaceName: 'Engines' })
  const bob = await peopleOf(kernel).colleague(ada, ['tenant.messenger'], 'Bob Babbage')
  return { url, ada, bob }
}

test('two people exchange messages, with older ones on scroll, typing and read state', async t => {
  const { url, ada, bob } = await startMessages(t)
  const { id } = await talk(ada, [bob], { subject: 'Engine parts' })
  for (let n = 1; n <= 70; n++) await say(n % 3 === 0 ? bob : ada, id, `Number ${n}.`)
  const browser = await openBrowser(t)
  const [left, right] = await Promise.all(
    [ada, bob].map(async ({ email }) => signIn(await browser.newContext({ locale: 'en' }), url, email)),
  )
  if (!left || !right) throw new Error('No pages')
  await left.goto(`${url}/messages/${id}`)
  await right.goto(`${url}/messages/${id}?workspace=${ada.tenantId}`)

  // The conversation opens at the newest message.
  const newest = left.getByText('Number 70.', { exact: true })
  await waitFor(async () => ((await newest.boundingBox())?.y ?? Number.POSITIVE_INFINITY) < 860)
  t.deepEqual(await accessibilityProblems(left, 'messages'), [])
  await left.setViewportSize({ width: 1280, height: 860 })
  t.is(await left.getByText('Number 1.', { exact: true }).count(), 0)
  await left.getByRole('region', { name: 'Messages' }).press('Home')
  await left.getByText('Number 1.', { exact: true }).waitFor()

  await left.evaluate("document.querySelector('#m70').dataset.kept = ''")
  await right.getByLabel('Message', { exact: true }).pressSequentially('The gears arrived.')
  await left.getByText('Bob Babbage is typing…').waitFor()
  await right.getByRole('button', { name: 'Send' }).click()
  await left.locator('article').getByText('The gears arrived.').waitFor()
  // Only the new message is announced.
  await left
    .locator('[data-announce]', { hasText: /^Bob Babbage: The gears arrived\.$/ })
    .waitFor({ state: 'attached' })
  t.is(await left.locator('article').count(), 71)
  t.is(await left.locator('#m70[data-kept]').count(), 1, 'messages that have not changed stay, with their selection')
  await right.getByText('Seen by Ada Lovelace').waitFor()
  await left.getByRole('button', { name: /Mark as read/ }).waitFor({ state: 'detached' })

  await left.getByText('Snooze', { exact: true }).click()
  await left.getByRole('button', { name: 'For 1 day' }).click()
  await left.getByText('Snoozed', { exact: true }).waitFor()
  await right.getByText('Snoozed', { exact: true }).waitFor()
  await left.getByRole('button', { name: 'Reopen' }).click()
  await left.getByRole('button', { name: 'Resolve' }).click()
  await left.getByText('Resolved', { exact: true }).waitFor()
})

test('a message that arrives before the page has its connection appears', async t => {
  const { url, ada, bob } = await startMessages(t)
  const { id } = await talk(ada, [bob], { subject: 'Engine parts' })
  const browser = await openBrowser(t)
  const page = await signIn(await browser.newContext({ locale: 'en' }), url, ada.email)
  let release = (): void => undefined
  const isReleased = new Promise<void>(resolve => {
    release = resolve
  })
  await page.route('**/larder-messages*.js', async route => {
    await isReleased
    await route.continue()
  })
  await page.goto(`${url}/messages/${id}`, { waitUntil: 'commit' })
  await page.getByText('No messages yet.').waitFor()
  await say(bob, id, 'The gears arrived.')
  release()
  await page.locator('article').getByText('The gears arrived.').waitFor()
  await page.getByText('No messages yet.').waitFor({ state: 'detached' })
  t.pass()
})
