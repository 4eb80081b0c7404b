import anyTest, { type TestFn } from 'ava'
import { pino } from 'pino'
import {
  type Authenticator,
  type ClientFrame,
  inEnglish,
  type Principal,
  Problem,
  type RealtimeServer,
  type RealtimeServerOptions,
  type RealtimeSocket,
  type SocketPeer,
  type SocketSession,
  wording,
} from '../../../../../kernel/internal.ts'
import { createScheduledRealtime } from '../../../../../services/http/sockets/realtime/realtime.ts'

/** The state of one socket of the server under test: a list of topics that a client follows. */
interface Follower {
  readonly socket: RealtimeSocket
  readonly topics: string[]
}
interface Peer extends SocketPeer {
  /** Frames of the server, parsed. */
  readonly sent: Record<string, unknown>[]
  closed: { code: number; reason: string | undefined } | undefined
  bufferedAmount: number
  /** False once the send buffer is full. */
  accepts: boolean
}
interface Context {
  server: RealtimeServer<Follower>
  /** Verifies members whose rights were revoked instead of closing their sockets. */
  verifying: RealtimeServer<Follower>
  stop(): void
  clock: { at: number }
  people: Map<string, { principal: Principal; permissions: string[] }>
  publish(message: unknown): void
  gap(): void
  /** Runs the periodic checks. */
  tick(): void
  subscribers: Set<(message: unknown) => void>
  log: string[]
  verified: string[]
  confirmed: number[]
  opened: (() => Promise<void>) | undefined
  /** Delays the result of an authentication. */
  answering: (() => Promise<void>) | undefined
}
const test = anyTest as TestFn<Context>

const login = (userId: string, expiresAt: string | null = null): Principal => ({
  kind: 'login',
  id: `lgn_${userId}`,
  userId,
  homeTenantId: null,
  expiresAt,
  permissions: null,
})
const HELLO = { type: 'hello', data: { tenantId: 'acme', token: 'ada' } }

test.beforeEach(t => {
  const clock = { at: 1_000_000 }
  const people: Context['people'] = new Map([
    ['ada', { principal: login('ada'), permissions: ['notes.note.read'] }],
    ['bob', { principal: login('bob'), permissions: [] }],
  ])
  const authenticator: Authenticator = {
    authenticate: async ({ secret }, tenant) => {
      const person = people.get(secret)
      if (!person) return null
      const { principal, permissions } = person
      await t.context.answering?.()
      const membership = { tenantId: 'ten_acme', memberId: 'mem_1', roles: [], permissions, platformPermissions: [] }
      return { principal, membership: typeof tenant !== 'string' && tenant.named === 'other' ? null : membership }
    },
  }
  const subscribers = new Set<(message: unknown) => void>()
  const gaps = new Set<() => void>()
  const bus = {
    publish() {},
    subscribe(_channel: string, onMessage: (message: unknown) => void, onGap: () => void) {
      subscribers.add(onMessage)
      gaps.add(onGap)
      return () => void subscribers.delete(onMessage)
    },
  }
  const log: string[] = []
  const access = {
    permissions: () => [{ key: 'notes.note.read', title: 'Read', scope: 'tenant' as const, module: 'notes' }],
    roles: () => [],
  }
  const ticks = new Set<() => void>()
  const deps = {
    clock: { now: () => clock.at },
    bus,
    authenticator,
    access,
    operator: { tenantId: 'ten_operator' },
    log: pino({ level: 'debug' }, { write: line => void log.push(JSON.parse(line).msg) }),
  } as Parameters<typeof createScheduledRealtime>[0]
  const realtime = createScheduledRealtime(deps, run => {
    ticks.add(run)
    return () => void ticks.delete(run)
  })
  const verified: string[] = []
  const confirmed: number[] = []
  const options: RealtimeServerOptions<Follower> = {
    maxFrameBytes: 1024,
    maxBufferBytes: 4096,
    frameRate: { perSecond: 1, burst: 10 },
    permission: 'notes.note.read',
    open: socket => ({ socket, topics: [] }),
    opened: async () => t.context.opened?.(),
    async hello({ socket }, { data, id }) {
      const member = await socket.authenticate(data as { tenantId: string; token: string | undefined }, id)
      if (member) socket.sendFrame('welcome', { userId: member.userId, mayRead: member.can('notes.note.read') }, id)
    },
    message({ socket, topics }: Follower, { type, data, id }: ClientFrame) {
      if (type === 'throw') throw new Error('handler bug')
      if (type === 'follow') topics.push(String(data.topic))
      else socket.sendError({ code: 'unknown_type', message: wording('Unknown frame type.') }, id)
    },
    closed({ topics }) {
      topics.length = 0
    },
    canResume: ({ topics }) => topics.length > 0,
    position: ({ topics }) => topics.length,
    confirmed: (_connection, position) => void confirmed.push(position),
    verified: async ({ socket }) => void verified.push(socket.member?.userId ?? ''),
  }
  Object.assign(t.context, {
    server: realtime.createServer(options),
    stop: realtime.stop,
    clock,
    people,
    subscribers,
    log,
    verifying: realtime.createServer({ ...options, onRevoked: 'verify' }),
    verified,
    confirmed,
    opened: undefined,
    answering: undefined,
    publish: (message: unknown) => subscribers.forEach(receive => void receive(message)),
    tick: () => ticks.forEach(run => void run()),
    gap: () => gaps.forEach(notify => void notify()),
  })
})
test.afterEach.always(t => t.context.stop())

function createPeer(secret?: string): Peer {
  const peer: Peer = {
    request: {} as SocketPeer['request'],
    query: {},
    caller: undefined,
    sent: [],
    closed: undefined,
    credential: secret === undefined ? undefined : { kind: 'cookie', secret },
    bufferedAmount: 0,
    accepts: true,
    send(text) {
      if (peer.closed || !peer.accepts) return false
      peer.sent.push(JSON.parse(String(text)))
      return true
    },
    say: text => (Problem.is(text) ? text.message : inEnglish(text)),
    markAuthenticated() {},
    close(code, reason) {
      peer.closed ??= { code, reason }
    },
  }
  return peer
}

/** Opens a socket. Frames are sent one at a time, as the HTTP service does. */
async function dial({ server }: Context, peer = createPeer()) {
  const session = (await server.endpoint.open(peer)) as SocketSession
  const send = async (frame: unknown) => session.message(typeof frame === 'string' ? frame : JSON.stringify(frame))
  await new Promise(setImmediate)
  return { peer, session, send }
}
async function join(context: Context, hello: object = HELLO, peer = createPeer()) {
  const client = await dial(context, peer)
  await client.send(hello)
  peer.sent.shift()
  return client
}
/** Moves the clock and runs one tick. */
async function forward({ clock, tick }: Context, milliseconds: number): Promise<void> {
  clock.at += milliseconds
  tick()
  await new Promise(setImmediate)
}

test('a hello authenticates a member, by token or by the credential of the upgrade request', async t => {
  const byToken = await dial(t.context)
  await byToken.send({ ...HELLO, id: 'h' })
  t.deepEqual(byToken.peer.sent, [{ type: 'welcome', id: 'h', data: { userId: 'ada', mayRead: true } }])
  const byCookie = await dial(t.context, createPeer('ada'))
  await byCookie.send({ type: 'hello', data: { tenantId: 'acme' } })
  t.is(byCookie.peer.sent[0]?.type, 'welcome')
  t.is([...t.context.server.connections()].length, 2)
  await byCookie.session.closed(1000)
  t.is([...t.context.server.connections()].length, 1)
})

test('rejects unknown tokens, other tenants and missing permissions', async t => {
  for (const [data, code, error] of [
    [{ tenantId: 'acme', token: 'eve' }, 4401, 'unauthenticated'],
    [{ tenantId: 'acme' }, 4401, 'unauthenticated'],
    [{ tenantId: 'other', token: 'ada' }, 4403, 'not_a_member'],
    [{ tenantId: 'acme', token: 'bob' }, 4403, 'forbidden'],
  ] as const) {
    const { peer, send } = await dial(t.context)
    await send({ type: 'hello', id: 'x', data })
    t.like(peer.sent[0], { type: 'error', id: 'x', data: { code: error, retryable: false } })
    t.is(peer.closed?.code, code)
  }
})

test('closes on invalid frames and on frames before the hello', async t => {
  const garbled = await dial(t.context)
  await garbled.send('{')
  t.like(garbled.peer.sent[0], { data: { code: 'bad_frame' } })
  t.is(garbled.peer.closed?.code, 4400)
  const early = await dial(t.context)
  await early.send({ type: 'follow', data: { topic: 'a' } })
  t.like(early.peer.sent[0], { data: { code: 'hello_first' } })
  t.is(early.peer.closed?.code, 4401)
})

test('closes without a hello after five seconds', async t => {
  const [silent, polite] = [await dial(t.context), await join(t.context)]
  await forward(t.context, 4999)
  t.is(silent.peer.closed, undefined)
  await forward(t.context, 1)
  t.like(silent.peer.sent[0], { data: { code: 'hello_timeout' } })
  t.is(silent.peer.closed?.code, 4401)
  t.is(polite.peer.closed, undefined)
})

test('limits the rate of frames', async t => {
  const { peer, send } = await join(t.context)
  for (let n = 0; n < 9; n++) await send({ type: 'follow', data: { topic: n } })
  t.is(peer.closed, undefined)
  await send({ type: 'follow', data: { topic: 'last' } })
  t.like(peer.sent[0], { data: { code: 'rate_limited', retryable: true } })
  t.is(peer.closed?.code, 4029)
})

test('answers pings with their id and data', async t => {
  const { peer, send } = await dial(t.context)
  await send({ type: 'ping', id: 'p', data: { t: 7 } })
  await send({ type: 'ping' })
  t.deepEqual(peer.sent, [
    { type: 'pong', id: 'p', data: { t: 7 } },
    { type: 'pong', data: { t: null } },
  ])
})

test('sends pings, and closes a socket without frames for 45 seconds', async t => {
  const [dead, alive] = [await join(t.context), await join(t.context)]
  await forward(t.context, 20_000)
  t.deepEqual(dead.peer.sent, [{ type: 'ping', data: { t: t.context.clock.at } }])
  await alive.send({ type: 'pong', data: { t: t.context.clock.at } })
  await forward(t.context, 25_000)
  t.deepEqual(dead.peer.sent.at(-1), {
    type: 'closing',
    data: { retryAfterMs: 0, action: 'reconnect', reason: 'ping_timeout' },
  })
  t.is(dead.peer.closed?.code, 4008)
  t.is(alive.peer.closed, undefined)
})

test('sockets that open at the same time are pinged at different times', async t => {
  const { clock, tick } = t.context
  const followers = await Promise.all(Array.from({ length: 100 }, () => join(t.context)))
  const pings = () => followers.reduce((count, { peer }) => count + peer.sent.length, 0)
  let [before, most] = [pings(), 0]
  for (let second = 1; second <= 20; second++) {
    clock.at += 1000
    tick()
    most = Math.max(most, pings() - before)
    before = pings()
  }
  t.is(before, 100)
  t.true(most < 40, `${most} pings in one second`)
})

test('a pong confirms the position at the time of its ping', async t => {
  const { peer, send } = await join(t.context)
  const [follower] = t.context.server.connections()
  if (!follower) return t.fail()
  await send({ type: 'follow', data: { topic: 'a' } })
  follower.socket.ping()
  await send({ type: 'follow', data: { topic: 'b' } })
  follower.socket.ping()
  const [first, second] = peer.sent.map(({ data }) => (data as { t: number }).t)
  t.not(first, second)
  await send({ type: 'pong', data: { t: first } })
  t.deepEqual(t.context.confirmed, [])
  t.true(follower.socket.awaitsPong)
  await send({ type: 'pong', data: { t: second } })
  await send({ type: 'pong', data: { t: second } })
  t.deepEqual(t.context.confirmed, [2])
  t.false(follower.socket.awaitsPong)
})

test('closes a client that reads too slowly', async t => {
  const { peer } = await join(t.context)
  const [follower] = t.context.server.connections()
  if (!follower) return t.fail()
  t.true(follower.socket.sendFrame('news', {}))
  peer.accepts = false
  t.false(follower.socket.sendFrame('news', {}))
  t.is(peer.closed?.code, 4001)
})

test('a replay waits while the client is behind', async t => {
  const { peer, session } = await join(t.context)
  const [follower] = t.context.server.connections()
  if (!follower) return t.fail()
  peer.bufferedAmount = 300 * 1024
  let sent = false
  const sending = follower.socket.sendPaced('{"n":1}').then(result => {
    sent = true
    return result
  })
  await new Promise(resolve => setTimeout(resolve, 30))
  t.false(sent)
  peer.bufferedAmount = 0
  t.true(await sending)
  t.deepEqual(peer.sent, [{ n: 1 }])
  peer.bufferedAmount = 300 * 1024
  const interrupted = follower.socket.sendPaced('{"n":2}')
  await session.closed(1006)
  t.false(await interrupted)
})

test('closes the sockets of revoked members only', async t => {
  t.context.people.set('cleo', { principal: login('cleo'), permissions: ['*'] })
  const ada = await join(t.context)
  const cleo = await join(t.context, { type: 'hello', data: { tenantId: 'acme', token: 'cleo' } })
  const silent = await dial(t.context)
  t.context.publish({})
  t.context.publish({ userId: 'ada', tenantId: 'ten_other' })
  t.is(ada.peer.closed, undefined)
  t.context.publish({ userId: 'ada', tenantId: 'ten_acme' })
  t.deepEqual(ada.peer.sent, [{ type: 'closing', data: { retryAfterMs: null, action: 'stop', reason: 'revoked' } }])
  t.is(ada.peer.closed?.code, 4403)
  t.context.publish({ principalId: 'lgn_cleo' })
  t.is(cleo.peer.closed?.code, 4403)
  t.is(silent.peer.closed, undefined)
})

for (const cause of ['revocation', 'gap'] as const)
  test(`a verification that began before a ${cause} grants no rights that ended meanwhile`, async t => {
    const { people, verifying: server } = t.context
    people.set('ada', { principal: login('ada'), permissions: ['notes.note.read', 'notes.note.write'] })
    await join({ ...t.context, server })
    const answers: (() => void)[] = []
    t.context.answering = () => new Promise(resolve => answers.push(resolve))
    const notify = () => {
      if (cause === 'gap') t.context.gap()
      else t.context.publish({ userId: 'ada', tenantId: 'ten_acme' })
    }
    notify()
    await new Promise(setImmediate)
    people.set('ada', { principal: login('ada'), permissions: ['notes.note.read'] })
    notify()
    // The latest one first.
    for (let turn = 0; turn < 5; turn++) {
      await new Promise(setImmediate)
      answers.pop()?.()
    }
    await new Promise(setImmediate)
    const permissions = [...server.connections()].map(({ socket }) => socket.member?.membership.permissions)
    t.deepEqual(permissions, [['notes.note.read']])
  })

test('verifies members every five minutes and when their credential expires', async t => {
  const expiry = new Date(t.context.clock.at + 60_000).toISOString()
  t.context.people.set('cleo', { principal: login('cleo', expiry), permissions: ['*'] })
  const ada = await join(t.context)
  const cleo = await join(t.context, { type: 'hello', data: { tenantId: 'acme', token: 'cleo' } })
  const answer = () => Promise.all([ada, cleo].map(({ send }) => send({ type: 'ping' })))
  t.context.people.delete('cleo')
  for (let seconds = 0; seconds < 60; seconds += 20) {
    t.is(cleo.peer.closed, undefined)
    await forward(t.context, 20_000)
    await answer()
  }
  t.is(cleo.peer.closed?.code, 4403)
  t.deepEqual(t.context.verified, [])
  for (let seconds = 60; seconds < 300; seconds += 20) {
    await forward(t.context, 20_000)
    await answer()
  }
  t.deepEqual(t.context.verified, ['ada'])
  t.context.people.set('ada', { principal: login('ada'), permissions: [] })
  for (let seconds = 0; seconds < 300; seconds += 20) {
    await forward(t.context, 20_000)
    await answer()
  }
  t.like(ada.peer.sent.at(-1), { type: 'error', data: { code: 'forbidden' } })
  t.is(ada.peer.closed?.code, 4403)
})

test('verifies all members after a gap on the bus', async t => {
  const ada = await join(t.context)
  t.context.gap()
  await new Promise(setImmediate)
  t.deepEqual(t.context.verified, ['ada'])
  t.context.people.delete('ada')
  t.context.gap()
  await new Promise(setImmediate)
  t.is(ada.peer.closed?.code, 4403)
})

test('a drain makes clients resume or reconnect after a random delay', async t => {
  const [follower, idle] = [await join(t.context), await join(t.context)]
  await follower.send({ type: 'follow', data: { topic: 'a' } })
  for (const [{ session, peer }, action] of [
    [follower, 'resume'],
    [idle, 'reconnect'],
  ] as const) {
    await session.drain?.()
    const closing = peer.sent.at(-1)?.data as { retryAfterMs: number } | undefined
    t.like(closing, { action, reason: 'draining' })
    t.true(Number(closing?.retryAfterMs) >= 0 && Number(closing?.retryAfterMs) < 1000)
    t.is(peer.closed?.code, 4000)
  }
})

test('frames wait for `opened`; a failure closes with 1011', async t => {
  let open = () => {}
  t.context.opened = () => new Promise(resolve => (open = resolve))
  const waiting = await dial(t.context)
  const sending = waiting.send(HELLO)
  t.deepEqual(waiting.peer.sent, [])
  open()
  await sending
  t.is(waiting.peer.sent[0]?.type, 'welcome')
  t.context.opened = () => Promise.reject(new Error('no database'))
  const broken = await dial(t.context)
  t.is(broken.peer.closed?.code, 1011)
  t.deepEqual(t.context.log, ['failed to open a realtime socket'])
})

test('a stopped server has no timer and no subscription', async t => {
  t.is(t.context.subscribers.size, 0)
  const silent = await dial(t.context)
  t.is(t.context.subscribers.size, 1)
  t.context.stop()
  t.is(t.context.subscribers.size, 0)
  await forward(t.context, 60_000)
  t.is(silent.peer.closed, undefined)
})
