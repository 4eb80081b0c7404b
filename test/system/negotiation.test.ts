import test from 'ava'
import { createServerProcess, openBrowser } from './fixtures.ts'

interface NegotiationResult {
  /** Received messages of both ends, in order. */
  readonly order: readonly string[]
  readonly states: readonly string[]
  readonly errors: readonly string[]
}

/**
 * Connects two ends of the client's `Connection` in one page. `early`: holds descriptions back until a candidate has
 * arrived. `both`: the second end sends an offer, too, at the same time.
 */
const CONNECT_TWO_ENDS = `async ({ script, early, both }) => {
  const { Connection } = await import(script)
  const canvas = document.createElement('canvas')
  canvas.getContext('2d').fillRect(0, 0, 16, 16)
  const order = [], errors = [], last = ['', '']
  const held = [[], []], spoke = [false, false], crossing = []
  const ends = [false, true].map((polite, me) => new Connection('c', polite, {}, {
    send(type, data) {
      const other = 1 - me
      const hand = () => {
        order.push(other + ' ' + type + (data.description ? ' ' + data.description.type : ''))
        ends[other].receive(JSON.parse(JSON.stringify(data)))
      }
      if (type === 'description' && early && !spoke[me]) return void held[me].push(hand)
      if (both && crossing.length < 2 && data.description?.type === 'offer') {
        if (crossing.push(hand) === 2) for (const cross of crossing) cross()
        return
      }
      hand()
      spoke[me] ||= type === 'candidate'
      for (const waits of held[me].splice(0)) waits()
    },
    state(state) {
      last[me] = state
      if (state.startsWith('error')) errors.push(state)
    },
    stream() {}, lost() {}, offers: me === 0,
  }))
  ends[0].send(canvas.captureStream(5))
  if (both) ends[1].send(canvas.captureStream(5))
  for (let tries = 0; tries < 1200 && last.join() !== 'connected,connected'; tries++) await new Promise(r => setTimeout(r, 50))
  for (const end of ends) end.close()
  return { order, states: last, errors }
}`

test('peers connect despite early candidates and simultaneous offers', async t => {
  const server = await createServerProcess(t)
  await server.start()
  const browser = await openBrowser(t)
  const page = await (await browser.newContext()).newPage()
  await page.goto(`${server.url}/watch/ses_unknown`)
  const realtime = await page.evaluate(
    `performance.getEntriesByType('resource').map(({ name }) => name).find(name => /larder-connection/.test(name))`,
  )
  const connect = (options: object): Promise<NegotiationResult> =>
    page.evaluate(`(${CONNECT_TWO_ENDS})(${JSON.stringify({ script: realtime, ...options })})`)
  const connected = { states: ['connected', 'connected'], errors: [] }

  const early = await connect({ early: true })
  t.like(early, connected)
  t.is(early.order[0], '1 candidate')
  t.true(early.order.indexOf('1 description offer') > 0)

  // Repeated, because Chromium finds candidates after a rollback only sometimes.
  for (let round = 1; round <= 5; round++) {
    const both = await connect({ both: true })
    t.like(both, connected, `round ${round}`)
    for (const offer of ['0 description offer', '1 description offer']) t.true(both.order.includes(offer))
  }
})
