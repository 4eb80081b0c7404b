/** The cases of the double against MediaMTX itself. Needs ffmpeg, curl and Chromium. */
import test from 'ava'
import { chromium } from 'playwright-core'
import { diagnoseEdge } from '../../modules/streams/services/mediamtx.ts'
import { EDGE_SECRET } from '../modules/streams/fixtures.ts'
import { cases, type Server } from '../modules/streams/services/mediamtx-cases.ts'
import { ffmpeg, publish, type Running, startMediaMtx } from './mediamtx.ts'

const withEncoders = (text: string) => text.replace(/^(rtmp|rtsp|srt): no$/gm, '$1: yes')

async function start(larder: string, yaml: (text: string) => string): Promise<Server> {
  const edge = await startMediaMtx({ larder, secret: 'secret', yaml: text => yaml(withEncoders(text)) })
  const started: Running[] = []
  const ending = (running: Running) => {
    started.push(running)
    return running.end
  }
  const play = (path: string, token: string) =>
    ffmpeg(['-rtsp_transport', 'tcp', '-i', `${edge.rtsp}/${path}?token=${token}`, '-f', 'null', '-'])
  return {
    ...edge,
    publish: (path, token, protocol) => ending(publish(edge, path, token, protocol)),
    play: (path, token, protocol) =>
      ending(protocol === 'moq' ? playByMoq(`${edge.moq}/${path}/?join_token=${token}`) : play(path, token)),
    async stop() {
      for (const { end } of started) end()
      await Promise.all(started.map(({ ended }) => ended))
      await edge.stop()
    },
  }
}

/** Opens MediaMTX's own page, whose client is the only one of its version of MoQ in a browser. */
function playByMoq(url: string): Running {
  const opening = chromium.launch({ executablePath: '/usr/bin/chromium', args: ['--no-sandbox', '--disable-gpu'] })
  const ended = opening.then(async browser => {
    const page = await browser.newPage({ ignoreHTTPSErrors: true })
    await page.goto(url)
    await new Promise(resolve => browser.once('disconnected', resolve))
  })
  return { ended, end: () => void opening.then(browser => browser.close()) }
}

test.serial('MediaMTX accepts the configuration of the documentation, and the doctor finds no problems', async t => {
  const edge = await startMediaMtx({ larder: 'http://127.0.0.1:9', secret: EDGE_SECRET })
  t.teardown(() => edge.stop())
  t.deepEqual(await diagnoseEdge({ edge: { apiUrl: edge.api, secret: EDGE_SECRET } }), [])
})
for (const [title, check] of Object.entries(cases)) test.serial(`MediaMTX ${title}`, t => check(t, start))
