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
/** The longest delay. */
const MAX_MS = 30_000

test.beforeEach(() => {
  PlayedSocket.opened = []
  mock.timers.enable({ apis: ['setTimeout'] })
})
test.afterEach.always(() => mock.timers.reset())

function connectPlayed(): ReturnType<typeof connectTopics> {
  const WebSocket = PlayedSocket as unknown as WebSocketConstructor
  return connectTopics({ baseUrl: 'https://acme.example', WebSocket })
}

/** Subscribes, and returns the socket once the server has welcomed it. */
async function subscribe(handlers: SubscriptionHandlers = {}): Promise<PlayedSocket> {
  connectPlayed().subscribe('boards.cards', {}, () => {}, handlers)
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

test.serial('starts with the shortest delay again after the server has confirmed the subscription', async t => {
  let socket = await subscribe()
  for (let refusals = 1; refusals <= 4; refusals++) {
    socket.answer('error', refused)
    mock.timers.tick(MAX_MS)
    await settle()
  }
  socket.answer('subscribed', { ...subscribed, resumed: false })
  socket.emit('close', { code: 1006 })
  mock.timers.tick(FIRST_MS)
  socket = await welcome()
  t.is(PlayedSocket.opened.length, 2)
  socket.answer('error', refused)
  mock.timers.tick(FIRST_MS)
  await settle()
  t.is(socket.subscriptions, 2)
})

test.serial('waits no longer than 30 seconds after many connections that failed', async t => {
  await subscribe()
  for (let failures = 1; failures <= 12; failures++) {
    PlayedSocket.opened.at(-1)?.emit('close', { code: 1006 })
    mock.timers.tick(MAX_MS)
    await welcome()
    t.is(PlayedSocket.opened.length, failures + 1)
  }
})

test.serial('waits as long as a server asks that closes the connection, before the next connection alone', async t => {
  const first = await subscribe()
  first.answer('closing', { retryAfterMs: 20_000 })
  first.emit('close', { code: 1012 })
  mock.timers.tick(19_999)
  await settle()
  t.is(PlayedSocket.opened.length, 1)
  mock.timers.tick(1)
  const second = await welcome()
  second.answer('subscribed', { ...subscribed, resumed: true })
  second.emit('close', { code: 1006 })
  mock.timers.tick(FIRST_MS)
  await settle()
  t.is(PlayedSocket.opened.length, 3)
})

test.serial('connects again when the server has sent nothing for a minute', async t => {
  await subscribe()
  mock.timers.tick(60_000)
  mock.timers.tick(FIRST_MS)
  await settle()
  t.is(PlayedSocket.opened.length, 2)
})

test.serial('keeps a connection whose server pings', async t => {
  const socket = await subscribe()
  for (let pings = 1; pings <= 4; pings++) {
    mock.timers.tick(20_000)
    socket.answer('ping', { t: pings })
    t.like(socket.sent.at(-1), { type: 'pong', data: { t: pings } })
  }
  t.is(PlayedSocket.opened.length, 1)
})

test.serial('subscribes once on a new connection although an earlier one refused the subscription', async t => {
  const first = await subscribe()
  first.answer('error', refused)
  mock.timers.tick(FIRST_MS)
  await settle()
  first.answer('error', refused)
  first.emit('close', { code: 1006 })
  // The connection waits at most as long as the second attempt to subscribe waits at least.
  mock.timers.tick(FIRST_MS)
  const second = await welcome()
  mock.timers.tick(FIRST_MS * 2)
  await settle()
  t.is(second.subscriptions, 1)
})

test.serial('repeats no subscription that was closed after its refusal', async t => {
  const realtime = connectPlayed()
  const closed = realtime.subscribe('boards.cards', {}, () => {})
  realtime.subscribe('boards.lists', {}, () => {})
  const socket = await welcome()
  socket.answer('error', refused)
  closed.close()
  mock.timers.tick(MAX_MS)
  await settle()
  t.is(socket.subscriptions, 2)
})

test.serial('ends a subscription whose refusal is final', async t => {
  let code = ''
  const socket = await subscribe({ onEnd: error => (code = error.code) })
  socket.answer('error', { ...refused, code: 'forbidden', retryable: false })
  mock.timers.tick(MAX_MS)
  await settle()
  t.is(code, 'forbidden')
  t.is(socket.subscriptions, 1)
})

test.serial('says that messages were missed: where the server says so, and where it cannot resume', async t => {
  let gaps = 0
  const first = await subscribe({ onGap: () => gaps++ })
  first.answer('subscribed', { ...subscribed, resumed: false })
  first.answer('gap', subscribed)
  t.is(gaps, 1)
  first.emit('close', { code: 1006 })
  mock.timers.tick(FIRST_MS)
  const second = await welcome()
  second.answer('subscribed', { ...subscribed, resumed: false })
  t.is(gaps, 2)
})

test.serial('is not active during a disconnect, and refuses what waits and what is sent then', async t => {
  const subscription = connectPlayed().subscribe('boards.cards', {}, () => {})
  const socket = await welcome()
  socket.answer('subscribed', { ...subscribed, resumed: false })
  t.true(subscription.active)
  const waiting = subscription.send({} as never)
  socket.emit('close', { code: 1006 })
  t.false(subscription.active)
  await t.throwsAsync(waiting, { message: /lost/ })
  await t.throwsAsync(subscription.send({} as never), { message: /not active/ })
})

test.serial('delivers to other subscriptions although a handler throws, and reports its error as uncaught', async t => {
  const reported: unknown[] = []
  const queued = mock.method(globalThis, 'queueMicrotask', (report: () => void) => {
    reported.push(t.throws(report)?.message)
  })
  const realtime = connectPlayed()
  const delivered: unknown[] = []
  realtime.subscribe('boards.cards', {}, () => {
    throw new Error('a handler fails')
  })
  realtime.subscribe('boards.lists', {}, message => delivered.push(message))
  const socket = await welcome()
  for (const subscription of ['s1', 's2']) socket.answer('message', { subscription, position: '1.1', message: {} })
  queued.mock.restore()
  t.deepEqual([reported, delivered], [['a handler fails'], [{}]])
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
