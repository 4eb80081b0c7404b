/** The pages of a stream with MediaMTX itself. Needs Chromium, ffmpeg and curl. */
import test, { type ExecutionContext } from 'ava'
import type { Person } from '../../testing/index.ts'
import { freePort } from '../fixtures/free-port.ts'
import { waitFor } from '../fixtures/wait.ts'
import { EDGE_SECRET } from '../modules/streams/fixtures.ts'
import { goLive, openBrowser, openStreamPage, startBrowserKernel } from '../system/fixtures.ts'
import { type MediaMtx, publish, startMediaMtx } from './mediamtx.ts'

interface World {
  readonly url: string
  readonly ada: Person
  readonly edge: MediaMtx
}

async function startWorld(t: ExecutionContext, yaml = (text: string) => text): Promise<World> {
  const port = await freePort()
  const edge = await startMediaMtx({
    larder: `http://127.0.0.1:${port}`,
    secret: EDGE_SECRET,
    yaml: text => yaml(text.replace('rtmp: no', 'rtmp: yes')),
  })
  t.teardown(() => edge.stop())
  const urls = { webrtcUrl: edge.webrtc, hlsUrl: edge.hls, apiUrl: edge.api }
  const { kernel, url } = await startBrowserKernel(
    {
      modules: { identity: {}, comms: {}, sessions: {}, streams: { edge: { secret: EDGE_SECRET, ...urls } } },
      roles: { 'tenant.operator': { name: 'Operator', permissions: ['sessions.*', 'streams.*'] } },
    },
    port,
  )
  t.teardown(() => kernel.stop())
  return { url, edge, ada: await kernel.register('ada@example.test') }
}

test.serial('a browser publishes a private stream to the edge, and others play it with a token', async t => {
  const { url, ada } = await startWorld(t)
  const { body: stream } = await ada.post('/v1/streams', { title: 'Final' })
  const { body: viewer } = await ada.post(`/v1/streams/${stream.id}/tokens`, {
    role: 'viewer',
    max_uses: 1,
  })
  const browser = await openBrowser(t)
  const watch = await openStreamPage(browser, `${url}/watch/${stream.id}#${viewer.token}`, '#watch')
  await watch.page.getByText("The broadcast hasn't started yet.").waitFor()
  const broadcast = await openStreamPage(browser, `${url}/broadcast/${stream.id}#${stream.join_token}`, '#broadcast')
  await goLive(broadcast.page, 'Camera')
  await broadcast.page.getByText('Connected.').waitFor()
  await watch.waitForFrames(15)
  await broadcast.page.getByText('1 viewer').waitFor()
  const wrong = await openStreamPage(browser, `${url}/watch/${stream.id}#st_wrong`, '#watch')
  await wrong.page.getByRole('alert').getByText('This link is invalid.').waitFor()
  const used = await openStreamPage(browser, `${url}/watch/${stream.id}#${viewer.token}`, '#watch')
  await used.page.getByRole('alert').getByText('usage limit').waitFor()
  await ada.delete(`/v1/streams/${stream.id}/tokens/${viewer.id}`)
  await watch.page.getByRole('alert').getByText('Your access was revoked.').waitFor()
  const other = await openStreamPage(browser, `${url}/watch/${stream.id}#${stream.join_token}`, '#watch')
  await other.waitForFrames(15)
  await ada.post(`/v1/sessions/${stream.id}/end`)
  await other.page.getByText('This stream has ended.').waitFor()
  await broadcast.page.getByRole('alert').getByText('The session has ended.').waitFor()
  t.pass()
})

test.serial('one page follows a public stream from a browser to an encoder', async t => {
  const { url, edge, ada } = await startWorld(t)
  const { body: stream } = await ada.post('/v1/streams', { visibility: 'public' })
  const browser = await openBrowser(t)
  const broadcast = await openStreamPage(browser, `${url}/broadcast/${stream.id}#${stream.join_token}`, '#broadcast')
  await broadcast.page.getByRole('radio', { name: 'Directly' }).check()
  await goLive(broadcast.page, 'Test pattern')
  const watch = await openStreamPage(browser, `${url}/watch/${stream.id}#${stream.join_token}`, '#watch')
  await watch.waitForFrames(15)
  const anonymous = await openStreamPage(browser, `${url}/watch/${stream.id}`, '#watch')
  await anonymous.waitForFrames(15)
  await broadcast.page.getByRole('button', { name: 'Stop' }).click()
  const encoder = publish(edge, `live/${stream.id}`, stream.join_token)
  t.teardown(() => encoder.end())
  await anonymous.waitForFrames(15)
  await watch.waitForFrames(15)
  encoder.end()
  await anonymous.page.getByText('The broadcast has stopped.').waitFor()
  t.pass()
})

test.serial('the page plays by HLS where WebRTC fails', async t => {
  const { url, edge, ada } = await startWorld(t)
  const { body: stream } = await ada.post('/v1/streams', {})
  const encoder = publish(edge, `live/${stream.id}`, stream.join_token)
  t.teardown(() => encoder.end())
  const browser = await openBrowser(t)
  const context = await browser.newContext()
  const page = await context.newPage()
  // As behind a firewall without UDP.
  await page.route('**/whep', route => route.abort())
  await page.goto(`${url}/watch/${stream.id}#${stream.join_token}`)
  await page.locator('#watch .player.playing').waitFor()
  t.true(await page.locator('video').evaluate(video => 'src' in video && String(video.src).includes('index.m3u8')))
})

test.serial('the page plays by WebRTC over TCP where UDP is blocked', async t => {
  const tcp = `webrtcLocalUDPAddress: ""\nwebrtcLocalTCPAddress: 127.0.0.1:${await freePort()}`
  const { url, edge, ada } = await startWorld(t, text => text.replace(/^webrtcLocalUDPAddress: .*$/m, tcp))
  const { body: stream } = await ada.post('/v1/streams', {})
  const encoder = publish(edge, `live/${stream.id}`, stream.join_token)
  t.teardown(() => encoder.end())
  const browser = await openBrowser(t)
  const watch = await openStreamPage(browser, `${url}/watch/${stream.id}#${stream.join_token}`, '#watch')
  await watch.waitForFrames(15)
  t.true(await watch.page.locator('video').evaluate(video => 'srcObject' in video && video.srcObject !== null))
})

test.serial('a browser that publishes comes back after the edge closed its connection', async t => {
  const { url, edge, ada } = await startWorld(t)
  const { body: stream } = await ada.post('/v1/streams', {})
  const browser = await openBrowser(t)
  const broadcast = await openStreamPage(browser, `${url}/broadcast/${stream.id}#${stream.join_token}`, '#broadcast')
  await goLive(broadcast.page, 'Test pattern')
  await broadcast.page.getByText('Connected.').waitFor()
  const publisher = async () => {
    const response = await fetch(`${edge.api}/v3/paths/get/live/${stream.id}`)
    return response.ok ? ((await response.json()) as { source: { id: string } | null }).source?.id : undefined
  }
  const first = await waitFor(publisher, id => id !== undefined)
  await fetch(`${edge.api}/v3/webrtcsessions/kick/${first}`, { method: 'POST' })
  await waitFor(publisher, id => id !== undefined && id !== first)
  await broadcast.page.getByText('Connected.').waitFor()
  const watch = await openStreamPage(browser, `${url}/watch/${stream.id}#${stream.join_token}`, '#watch')
  await watch.waitForFrames(15)
  t.is((await ada.get(`/v1/streams/${stream.id}`)).body.live_status, 'live')
})
