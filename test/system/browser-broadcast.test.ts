import test from 'ava'
import { freePort } from '../fixtures/free-port.ts'
import { waitFor } from '../fixtures/wait.ts'
import {
  type BrowserKernel,
  createServerProcess,
  createStream,
  goLive,
  openBrowser,
  openStreamPage,
  startBrowserKernel,
} from './fixtures.ts'
import { accessibilityProblems } from './site-fixtures.ts'

/** A server for the tests that neither end nor configure one: each start of a process costs seconds of CPU time. */
let started: Promise<BrowserKernel> | undefined
const shared = () => {
  started ??= startBrowserKernel({
    modules: { identity: {}, comms: { transport: 'mailbox' }, sessions: {}, streams: {} },
  })
  return started
}
test.after.always(async () => (await started)?.kernel.stop())

test.serial('a browser broadcast continues when the server is killed and restarted', async t => {
  const server = await createServerProcess(t)
  const first = await server.start()
  const { id, join_token, end } = await createStream(server.url)
  const browser = await openBrowser(t)

  const watch = await openStreamPage(browser, `${server.url}/watch/${id}#${join_token}`, '#watch')
  await watch.page.getByText("The broadcast hasn't started yet.").waitFor()
  const broadcast = await openStreamPage(browser, `${server.url}/broadcast/${id}#${join_token}`, '#broadcast')
  await goLive(broadcast.page, 'Test pattern')
  await broadcast.page.getByText('1 viewer').waitFor()
  await watch.waitForFrames(30)
  t.true((await broadcast.stats()).some(({ framesSent }) => framesSent > 0))

  first.child.kill('SIGKILL')
  await first.ended
  await watch.page.getByText('Reconnecting').waitFor()
  // The media does not pass through the server.
  await watch.waitForFrames(15)
  const second = await server.start()
  await watch.page.getByText('Connected.').waitFor()
  await broadcast.page.getByText('1 viewer').waitFor()
  await watch.waitForFrames(30)

  // A graceful stop preserves the peer sessions.
  second.child.kill('SIGTERM')
  t.is((await second.ended).code, 0)
  await server.start()
  await watch.page.getByText('Connected.').waitFor()
  await watch.waitForFrames(15)

  const late = await openStreamPage(browser, `${server.url}/watch/${id}#token=${join_token}`, '#watch')
  await late.waitForFrames(15)
  await broadcast.page.getByRole('button', { name: 'Stop' }).click()
  await watch.page.getByText('The broadcast has stopped.').waitFor()

  // It continues when the stream is live again, and viewers see that it has ended.
  const again = await openStreamPage(browser, `${server.url}/broadcast/${id}#${join_token}`, '#broadcast')
  await goLive(again.page, 'Test pattern')
  await watch.waitForFrames(15)
  await watch.page.getByText('The broadcast has stopped.').waitFor({ state: 'hidden' })
  await end()
  await watch.page.getByText('This stream has ended.').waitFor()
})

test.serial('broadcasts the camera and explains an invalid join token', async t => {
  const server = await shared()
  const { id, join_token } = await createStream(server.url)
  const browser = await openBrowser(t)
  const wrong = await openStreamPage(browser, `${server.url}/watch/${id}`, '#watch')
  await wrong.page.getByLabel('Join token').fill('jt_nonsense')
  await wrong.page.getByRole('button', { name: 'Watch' }).click()
  await wrong.page.getByRole('alert').getByText('This link is invalid.').waitFor()
  await wrong.page.locator('video').waitFor({ state: 'hidden' })

  const broadcast = await openStreamPage(browser, `${server.url}/broadcast/${id}#${join_token}`, '#broadcast')
  await goLive(broadcast.page, 'Camera')
  // People know themselves from the mirror; text on a screen has to stay readable.
  const transformIn = (page: typeof wrong.page) =>
    page.evaluate(`getComputedStyle(document.querySelector('video')).transform`)
  t.is(await transformIn(broadcast.page), 'matrix(-1, 0, 0, 1, 0, 0)')
  const watch = await openStreamPage(browser, `${server.url}/watch/${id}#${join_token}`, '#watch')
  await watch.waitForFrames(15)
  t.is(await transformIn(watch.page), 'none')
  // The correct link differs only in its fragment.
  await wrong.page.goto(`${server.url}/watch/${id}#${join_token}`)
  await wrong.page.locator('#watch[data-state="connected"]').waitFor()
  await wrong.waitForFrames(15)
  const second = await openStreamPage(browser, `${server.url}/broadcast/${id}#${join_token}`, '#broadcast')
  await goLive(second.page, 'Test pattern')
  await second.page.getByRole('alert').getByText('Someone else is already broadcasting.').waitFor()
  // Nothing is shared.
  await second.page.locator('video').waitFor({ state: 'hidden' })
  t.true(await second.page.getByRole('button', { name: 'Stop' }).isHidden())
})

test.serial('the watch page explains why nothing plays from the edge', async t => {
  const edge = `http://127.0.0.1:${await freePort()}`
  const secret = 'the secret of the edge'
  const server = await createServerProcess(t, {}, { edge: { secret, webrtcUrl: edge, hlsUrl: edge } })
  await server.start()
  const { id, join_token, end } = await createStream(server.url, { visibility: 'public' })
  const browser = await openBrowser(t)
  const watch = await openStreamPage(browser, `${server.url}/watch/${id}`, '#watch')
  await watch.page.getByText('This stream is offline right now.').waitFor()
  const withToken = await openStreamPage(browser, `${server.url}/watch/${id}#${join_token}`, '#watch')
  await withToken.page.getByText("The broadcast hasn't started yet.").waitFor()
  t.is(await withToken.page.getByText('Final').count(), 1)
  t.deepEqual(await accessibilityProblems(watch.page, 'watch-offline'), [])

  // A publisher at an edge that browsers can't reach.
  await fetch(`${server.url}/v1/media/edge/events?secret=${encodeURIComponent(secret)}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ event: 'ready', path: `live/${id}`, source_id: 'obs' }),
  })
  await watch.page.getByText("This stream isn't available right now.").waitFor()

  await end()
  await watch.page.getByText('This stream has ended.').waitFor()
  await withToken.page.getByText('This stream has ended.').waitFor()
})

test.serial('anyone watches a public stream that a browser broadcasts, and sees its end', async t => {
  const server = await shared()
  const { id, join_token, end } = await createStream(server.url, { visibility: 'public' })
  const browser = await openBrowser(t)
  const watch = await openStreamPage(browser, `${server.url}/watch/${id}`, '#watch')
  await watch.page.getByText('This stream is offline right now.').waitFor()
  t.is(await watch.page.getByLabel('Join token').isVisible(), false)
  const player = await watch.page.locator('.player').boundingBox()
  const link = await watch.page.getByRole('link', { name: 'All streams' }).boundingBox()
  t.true((link?.y ?? 0) - ((player?.y ?? 0) + (player?.height ?? 0)) >= 12, JSON.stringify({ player, link }))
  const broadcast = await openStreamPage(browser, `${server.url}/broadcast/${id}#${join_token}`, '#broadcast')
  await goLive(broadcast.page, 'Test pattern')
  await watch.waitForFrames(15)
  const framed = await openStreamPage(browser, `${server.url}/embed/${id}`, '#watch')
  await framed.waitForFrames(15)
  await end()
  for (const { page } of [watch, framed]) {
    await page.getByText('This stream has ended.').waitFor()
    await page.reload()
    await page.getByText('This stream has ended.').waitFor()
    t.is(await page.getByLabel('Join token').isVisible(), false)
  }
})

test.serial(
  'the publisher sees the camera and hears the microphone before viewers do, and chooses devices',
  async t => {
    const server = await shared()
    const { id, join_token } = await createStream(server.url, { title: 'Tea & <b>scones</b>' })
    const browser = await openBrowser(t)
    const watch = await openStreamPage(browser, `${server.url}/watch/${id}#${join_token}`, '#watch')
    const broadcast = await openStreamPage(browser, `${server.url}/broadcast/${id}#${join_token}`, '#broadcast')
    const { page } = broadcast
    const isHeard = () =>
      waitFor(
        () => page.evaluate<number>('document.querySelector("meter").value'),
        level => level > 0.2,
      )
    t.true(await page.getByRole('button', { name: 'Go live' }).isDisabled())
    await page.getByRole('button', { name: 'Camera' }).press('Enter')
    await page.locator('video').waitFor()
    await waitFor(
      () => page.evaluate<number>('document.querySelector("video").videoWidth'),
      width => width > 0,
    )
    // Chromium's fake microphone beeps.
    await isHeard()
    t.regex((await page.getByLabel('Camera').locator('option:checked').textContent()) ?? '', /fake/i)
    const microphones = page.getByLabel('Microphone', { exact: true })
    const last = (await microphones.locator('option').count()) - 1
    await microphones.selectOption({ index: last })
    await isHeard()
    t.deepEqual(await accessibilityProblems(page, 'broadcast-preview'), [])
    await watch.page.getByText("The broadcast hasn't started yet.").waitFor()
    await watch.page.getByRole('heading', { level: 1, name: 'Tea & <b>scones</b>' }).waitFor()

    await page.getByRole('button', { name: 'Go live' }).press('Enter')
    await watch.waitForFrames(15)
    t.deepEqual(await accessibilityProblems(watch.page, 'watch-live'), [])
    // Another source replaces the picture of the viewers.
    await page.getByRole('button', { name: 'Test pattern' }).click()
    await page.getByText('1 viewer').waitFor()
    await watch.waitForFrames(15)
    await page.getByRole('button', { name: 'Stop sharing' }).click()
    await watch.page.getByText('The broadcast has stopped.').waitFor()
    t.true(await page.getByRole('button', { name: 'Go live' }).isDisabled())
  },
)

for (const { error, words } of [
  { error: 'NotAllowedError', words: /^Your browser doesn't let this page use the camera/ },
  { error: 'NotReadableError', words: /^Another program uses the camera/ },
])
  test.serial(`says what to do after ${error}`, async t => {
    const server = await shared()
    const { id, join_token } = await createStream(server.url)
    const page = await (await openBrowser(t)).newPage()
    await page.addInitScript(
      `navigator.mediaDevices.getUserMedia = () => Promise.reject(new DOMException('x', '${error}'))`,
    )
    await page.goto(`${server.url}/broadcast/${id}#${join_token}`)
    await page.getByRole('button', { name: 'Camera' }).click()
    await page.getByRole('alert').getByText(words).waitFor()
    t.true(await page.getByRole('button', { name: 'Go live' }).isDisabled())
  })
