import test from 'ava'
import { createDeliveries, type Delivery } from '../../../services/topics/deliveries.ts'
import type { Channel } from '../../../services/topics/message-log.ts'
import type { ClientSubscription } from '../../../services/topics/subscription.ts'

interface Seen {
  readonly grant: { view?: (message: unknown) => unknown; sharedView?: string }
  closed: boolean
  gaps: number
  readonly received: string[]
  readonly frames: unknown[]
}
type Grant = Seen['grant']

function subscriptionWith(grant: Grant, id = 's'): ClientSubscription & Seen {
  const subscription = {
    id,
    grant,
    closed: false,
    behind: false,
    gaps: 0,
    received: [] as string[],
    frames: [] as unknown[],
    deliver(frames: Map<string, Buffer>, text: string) {
      const frame = frames.get(id) ?? Buffer.from(text)
      frames.set(id, frame)
      subscription.frames.push(frame)
      subscription.received.push(text)
    },
    pauseWithGap: () => void subscription.received.push('gap'),
  }
  return subscription as unknown as ClientSubscription & Seen
}

const channel = { id: 'cards' } as Channel<ClientSubscription>
const messageOf = (value: object): Delivery => ({ text: JSON.stringify(value), position: '1', value: () => value })
async function settle(turns = 20): Promise<void> {
  for (let turn = 0; turn < turns; turn++) await new Promise(setImmediate)
}

test('a view that subscriptions share runs once, and equal frames are one buffer', async t => {
  const deliveries = createDeliveries(error => t.fail(String(error)))
  let runs = 0
  const view = (message: unknown) => {
    runs++
    return { ...(message as object), seen: true }
  }
  const alike = Array.from({ length: 500 }, () => subscriptionWith({ view, sharedView: 'same' }))
  const other = subscriptionWith({ view, sharedView: 'other' })
  const alone = subscriptionWith({ view })
  deliveries.send(channel, messageOf({ n: 1 }), [...alike, other, alone])
  await settle()
  t.is(runs, 3)
  for (const { received } of [...alike, other, alone]) t.deepEqual(received, ['{"n":1,"seen":true}'])
  t.is(new Set(alike.flatMap(({ frames }) => frames)).size, 1)
})

test('other work runs between chunks of subscriptions and of views', async t => {
  for (const isShared of [true, false]) {
    const deliveries = createDeliveries(error => t.fail(String(error)))
    const grant = (n: number): Grant => ({ view: message => message, sharedView: isShared ? 'same' : String(n) })
    const subscriptions = Array.from({ length: 1000 }, (_, n) => subscriptionWith(grant(n)))
    deliveries.send(channel, messageOf({ n: 1 }), subscriptions)
    const count = () => subscriptions.filter(({ received }) => received.length > 0).length
    const counts: number[] = []
    while (count() < 1000) {
      await new Promise(setImmediate)
      counts.push(count())
    }
    t.true(
      counts.every((now, at) => now - (counts[at - 1] ?? 0) <= 200),
      String(counts),
    )
  }
})

test('messages keep their order, although an earlier view takes longer', async t => {
  const deliveries = createDeliveries(error => t.fail(String(error)))
  const view = (message: unknown) => {
    const { slow } = message as { slow?: boolean }
    return slow ? new Promise(resolve => setTimeout(resolve, 20, message)) : message
  }
  const subscription = subscriptionWith({ view })
  deliveries.send(channel, messageOf({ n: 1, slow: true }), [subscription])
  deliveries.send(channel, messageOf({ n: 2 }), [subscription])
  while (subscription.received.length < 2) await new Promise(setImmediate)
  t.deepEqual(subscription.received, ['{"n":1,"slow":true}', '{"n":2}'])
})

test('a subscription whose rights change or end during a view receives nothing by its former rights', async t => {
  const deliveries = createDeliveries(error => t.fail(String(error)))
  let release = () => {}
  const released = new Promise<void>(resolve => (release = resolve))
  const all: Grant = { view: message => released.then(() => message), sharedView: 'all' }
  const [kept, reduced, ended, behind] = Array.from({ length: 4 }, () => subscriptionWith(all))
  if (!kept || !reduced || !ended || !behind) return t.fail()
  deliveries.send(channel, messageOf({ secret: 1 }), [kept, reduced, ended, behind])
  await settle()
  Object.assign(reduced, { grant: { view: () => ({}) } })
  ended.closed = true
  behind.gaps++
  release()
  await settle()
  t.deepEqual(kept.received, ['{"secret":1}'])
  t.deepEqual(reduced.received, ['{}'])
  t.deepEqual([...ended.received, ...behind.received], [])
})

test('a view that fails is a gap of its subscriptions alone', async t => {
  const errors: unknown[] = []
  const deliveries = createDeliveries(error => errors.push(error))
  const failing = subscriptionWith({ view: () => Promise.reject(new Error('no database')) })
  const working = subscriptionWith({ view: message => message })
  deliveries.send(channel, messageOf({ n: 1 }), [failing, working])
  await settle()
  t.deepEqual([failing.received, working.received], [['gap'], ['{"n":1}']])
  t.is(errors.length, 1)
})

test('messages that would wait for too many views become gaps', async t => {
  const deliveries = createDeliveries(error => t.fail(String(error)))
  const subscriptions = Array.from({ length: 1000 }, () => subscriptionWith({ view: () => new Promise(() => {}) }))
  for (let count = 0; count < 200; count++) deliveries.send(channel, messageOf({ count }), subscriptions)
  t.true(subscriptions.every(({ received }) => received.length > 0 && received.every(text => text === 'gap')))
})
