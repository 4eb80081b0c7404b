/** The realtime client against a server that the test plays, with a clock that the test moves. */
import { mock } from 'node:test'
import test from 'ava'
import type { WebSocketConstructor } from '../../bin/client/runtime/options.ts'
import type { SubscriptionHandlers } from '../../bin/client/runtime/realtime-types.ts'
import { connectTopics } from '../../bin/client/runtime/topics.ts'

interface Frame {
  readonly type: string
  readonly data: { readonly subscription?: string; readonly after?: string }
}
type Listener = (event: object) => void

/** A socket whose server answers what the test says. */
class PlayedSocket {
  static opened: PlayedSocket[] = []
  readonly readyState = 1
  readonly sent: Frame[] = []
  readonly #listeners = new Map<string, Listener>()

  constructor() {
    PlayedSocket.opened.push(this)
  }
  addEventListener(type: string, listener: Listener): void {
    this.#listeners.set(type, listener)
  }
  send(text: string): void {
    this.sent.push(JSON.parse(text) as Frame)
  }
  close(): void {}
  emit(type: string, event: object = {}): void {
    this.#listeners.get(type)?.(event)
  }
  answer(type: string, data: object): void {
    this.emit('message', { data: JSON.stringify({ type, data }) })
  }
  /** How often the client has subscribed. */
  get subscriptions(): number {
    return this.sent.filter(({ type }) => type === 'subscribe').length
  }
}

const settle = () => new Promise(resolve => setImmediate(resolve))
/** The longest delay before a first attempt is repeated. */
const FIRST_MS = 500

test.beforeEach(() => {
  PlayedSocket.opened = []
  mock.timers.enable({ apis: ['setTimeout'] })
})
test.afterEach.always(() => mock.timers.reset())

/** Subscribes, and returns the socket once the server has welcomed it. */
async function subscribe(handlers: SubscriptionHandlers = {}): Promise<PlayedSocket> {
  const WebSocket = PlayedSocket as unknown as WebSocketConstructor
  connectTopics({ baseUrl: 'https://acme.example', WebSocket }).subscribe('boards.cards', {}, () => {}, handlers)
  return welcome()
}

async function welcome(): Promise<PlayedSocket> {
  await settle()
  const socket = PlayedSocket.opened.at(-1) as PlayedSocket
  socket.emit('open')
  socket.answer('welcome', {})
  return socket
}
const subscribed = { subscription: 's1', position: '1.1' }
const refused = { code: 'internal', message: 'Busy.', retryable: true, subscription: 's1' }

test.serial(
  'says that messages arrive from now on: after the first connection, and after one that resumes',
  async t => {
    let [active, gaps] = [0, 0]
    const first = await subscribe({ onActive: () => active++, onGap: () => gaps++ })
    first.answer('subscribed', { ...subscribed, resumed: false })
    t.deepEqual([active, gaps], [1, 0])
    first.emit('close', { code: 1006 })
    mock.timers.tick(FIRST_MS)
    const second = await welcome()
    t.like(second.sent.at(-1), { type: 'subscribe', data: { after: '1.1' } })
    second.answer('subscribed', { ...subscribed, resumed: true })
    t.deepEqual([active, gaps], [2, 0])
  },
)

test.serial('waits longer after each refusal of a subscription that may be temporary', async t => {
  const socket = await subscribe()
  for (let refusals = 1; refusals <= 4; refusals++) {
    t.is(socket.subscriptions, refusals)
    socket.answer('error', refused)
    mock.timers.tick(FIRST_MS * 2 ** (refusals - 1))
    await settle()
  }
  socket.answer('error', refused)
  // The fifth delay is at least half of 8 seconds.
  mock.timers.tick(FIRST_MS * 2 ** 3 - 1)
  await settle()
  t.is(socket.subscriptions, 5)
})

test.serial('waits longer after each connection that the server welcomes and closes before it delivers', async t => {
  await subscribe()
  for (let failures = 1; failures <= 4; failures++) {
    PlayedSocket.opened.at(-1)?.emit('close', { code: 4029 })
    mock.timers.tick(FIRST_MS * 2 ** (failures - 1))
    await welcome()
    t.is(PlayedSocket.opened.length, failures + 1)
  }
  PlayedSocket.opened.at(-1)?.emit('close', { code: 4029 })
  mock.timers.tick(FIRST_MS * 2 ** 3 - 1)
  await settle()
  t.is(PlayedSocket.opened.length, 5)
})

test.serial('subscribes once on a new connection although an earlier one refused the subscription', async t => {
  const first = await subscribe()
  first.answer('error', refused)
  first.emit('close', { code: 1006 })
  // Less than the shortest delay is left for both when the new connection is there.
  mock.timers.tick(FIRST_MS)
  const second = await welcome()
  mock.timers.tick(FIRST_MS)
  await settle()
  t.is(second.subscriptions, 1)
})

test.serial('connects no more after a close code that says that it would fail again', async t => {
  let code = ''
  const socket = await subscribe({ onEnd: error => (code = error.code) })
  socket.emit('close', { code: 4401 })
  mock.timers.tick(60_000)
  await settle()
  t.is(code, 'unauthenticated')
  t.is(PlayedSocket.opened.length, 1)
})
