/** A conversation of two people in two browsers. */
import test, { type ExecutionContext } from 'ava'
import type { Page } from 'playwright-core'
import { peopleOf } from '../fixtures/people.ts'
import { waitFor } from '../fixtures/wait.ts'
import { say, talk } from '../modules/messaging/fixtures.ts'
import { openBrowser, startBrowserKernel } from './fixtures.ts'
import { accessibilityProblems, signIn } from './site-fixtures.ts'

async function startMessages(t: ExecutionContext) {
  const { url, kernel } = await startBrowserKernel({
    locales: { default: 'en', available: ['en', 'de'] },
    modules: { identity: {}, comms: { transport: 'mailbox' }, messaging: {}, sessions: {}, streams: {} },
  })
  t.teardown(() => kernel.stop())
  const ada = await kernel.register('ada@example.test', { name: 'Ada Lovelace', workspaceName: 'Engines' })
  const bob = await peopleOf(kernel).colleague(ada, ['tenant.messenger'], 'Bob Babbage')
  return { url, kernel, ada, bob }
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

test('the host and a viewer chat beside a stream, and somebody without rights sees none of it', async t => {
  const { url, kernel, ada, bob } = await startMessages(t)
  const eve = await kernel.register('eve@example.test', { name: 'Eve' })
  const { body: stream } = await ada.post('/v1/streams', { title: 'Launch' })
  const { body: viewer } = await ada.post(`/v1/streams/${stream.id}/tokens`, { role: 'viewer' })
  const browser = await openBrowser(t)
  const pageOf = async (email: string) => signIn(await browser.newContext({ locale: 'en' }), url, email)
  const [host, watcher, stranger] = await Promise.all([ada.email, bob.email, eve.email].map(pageOf))
  if (!host || !watcher || !stranger) throw new Error('No pages')
  await host.goto(`${url}/broadcast/${stream.id}?workspace=${ada.tenantId}`)
  await watcher.goto(`${url}/watch/${stream.id}#${viewer.token}`)
  const guest = await (await browser.newContext({ locale: 'en' })).newPage()
  await guest.goto(`${url}/watch/${stream.id}#${viewer.token}`)
  const chatOf = (page: Page) => page.getByRole('complementary', { name: 'Chat' })
  const send = async (page: Page, text: string) => {
    await chatOf(page).getByLabel('Message', { exact: true }).fill(text)
    await chatOf(page).getByRole('button', { name: 'Send' }).click()
  }
  const seen = (page: Page, text: string) => chatOf(page).getByRole('log').getByText(text, { exact: true })

  await send(host, 'Welcome!')
  await seen(watcher, 'Welcome!').waitFor()
  await chatOf(watcher).locator('article', { hasText: 'Ada Lovelace' }).getByText('Host').waitFor()
  await send(watcher, '<b>Hello</b>')
  await seen(host, '<b>Hello</b>').waitFor()
  await chatOf(guest).getByLabel('Your name').fill('Cleo')
  await send(guest, 'Hi from Cleo')
  await chatOf(host).locator('article', { hasText: 'Hi from Cleo' }).getByText('Guest').waitFor()
  t.is(
    await chatOf(watcher)
      .getByRole('button', { name: /^Remove/ })
      .count(),
    0,
  )
  t.deepEqual(await accessibilityProblems(watcher, 'stream-chat'), [])
  t.deepEqual(await accessibilityProblems(host, 'broadcast-chat'), [])

  // The host goes live without scrolling.
  await host.getByRole('button', { name: 'Camera' }).click()
  await host.getByLabel('Microphone', { exact: true }).waitFor()
  await host.evaluate('scrollTo(0, 0)')
  const go = await host.getByRole('button', { name: 'Go live' }).boundingBox()
  const bottom = (go?.y ?? 0) + (go?.height ?? 0)
  t.true(bottom > 0 && bottom <= (host.viewportSize()?.height ?? 0), `${bottom}`)

  // The host removes a message, for everybody.
  await chatOf(host).getByRole('button', { name: 'Remove the message of Cleo' }).click()
  for (const page of [host, watcher, guest]) await seen(page, 'Hi from Cleo').waitFor({ state: 'detached' })

  await stranger.goto(`${url}/watch/${stream.id}`)
  await stranger.getByLabel('Join token').waitFor()
  t.true(await chatOf(stranger).isHidden())
  t.is(await stranger.getByText('Welcome!').count(), 0)

  await ada.post(`/v1/sessions/${stream.id}/end`)
  await chatOf(watcher).getByText('The chat is over.').waitFor()
  t.true(await chatOf(watcher).getByLabel('Message', { exact: true }).isHidden())
  t.true(await seen(watcher, 'Welcome!').isVisible())
})
