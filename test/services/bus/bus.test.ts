import anyTest, { type TestFn } from 'ava'
import { pino } from 'pino'
import { createBus } from '../../../services/bus/bus.ts'
import { createDeduplicator, createSender } from '../../../services/bus/sender.ts'
import { waitFor } from '../../fixtures/wait.ts'
import { createOutboxFixture, log, type OutboxFixture } from '../outbox/fixtures.ts'
import { busContract } from './contract.ts'

const test = anyTest as TestFn
let fixture: OutboxFixture
test.before(async () => {
  fixture = await createOutboxFixture()
})
test.after.always(() => fixture.end())

busContract(test, () => ({
  fixture,
  settings: { bus: 'postgres', redisUrl: undefined },
  cut: () =>
    fixture.asOwner(`select pg_terminate_backend(pid) from pg_stat_activity
      where application_name in ('larder listen', 'here', 'there') and datname = current_database()`),
  send: envelope => fixture.asOwner(`select pg_notify('larder_bus', $1)`, [JSON.stringify(envelope)]),
}))

test.serial('a subscriber that throws or unsubscribes does not affect the others', async t => {
  const bus = await createBus({
    settings: { bus: 'memory', redisUrl: undefined },
    db: fixture.db,
    systemDatabase: fixture.db.systemDatabase,
    installation: 'ten_a',
    log: pino({ level: 'silent' }),
  })
  const seen: unknown[] = []
  const leave = bus.subscribe('news', () => t.fail())
  bus.subscribe('news', () => {
    throw new Error('mine alone')
  })
  bus.subscribe('news', message => seen.push(message))
  leave()
  bus.publish('news', 1)
  t.deepEqual(seen, [1])
  await bus.close()
})

/** A transport that fails a given number of times. */
function way(failures: number, senderLog = log) {
  const arrived: string[] = []
  const batches: number[] = []
  let tries = 0
  const send = async (lines: readonly string[]) => {
    if (tries++ < failures) throw new Error('cut')
    arrived.push(...lines)
    batches.push(lines.length)
  }
  return { arrived, batches, sender: createSender<string>({ send, gap: 'gap', log: senderLog, retryDelay: () => 1 }) }
}

test('retries a message that cannot be sent before it sends the next ones', async t => {
  const { arrived, sender } = way(5)
  for (const line of ['first', 'second']) sender.push(line)
  await waitFor(() => arrived.length === 2)
  t.deepEqual(arrived, ['first', 'second'])
})

test('sends messages that wait for the transport together', async t => {
  const { arrived, batches, sender } = way(0)
  const lines = Array.from({ length: 121 }, (_, n) => `line ${n}`)
  for (const line of lines) sender.push(line)
  await waitFor(() => arrived.length === lines.length)
  t.deepEqual(arrived, lines)
  t.deepEqual(batches, [1, 50, 50, 20])
})

test('reports dropped messages as a gap', async t => {
  const { arrived, sender } = way(12)
  for (const line of ['first', 'second']) sender.push(line)
  await waitFor(() => arrived.length === 1)
  sender.push('third')
  await waitFor(() => arrived.length === 2)
  t.deepEqual(arrived, ['gap', 'third'])
})

test('sends a gap between the messages before and after it', async t => {
  const { arrived, sender } = way(0)
  sender.push('first')
  sender.pushGap()
  sender.push('second')
  await waitFor(() => arrived.length === 3)
  t.deepEqual(arrived, ['first', 'gap', 'second'])
})

test('an outage of the transport is one line, one at its end, and one with the number of dropped messages', async t => {
  const lines: { msg: string; messages?: number }[] = []
  const { arrived, sender } = way(12, pino({ level: 'info' }, { write: line => void lines.push(JSON.parse(line)) }))
  for (const line of ['first', 'second']) sender.push(line)
  await waitFor(() => arrived.length === 1)
  await sender.close()
  t.deepEqual(
    lines.map(({ msg, messages }) => ({ msg, messages })),
    [
      { msg: 'bus messages cannot be sent and are queued', messages: undefined },
      { msg: 'bus messages are sent again', messages: undefined },
      { msg: 'bus messages were dropped', messages: 2 },
    ],
  )
})

test('delivers a repeated message once', t => {
  const isNew = createDeduplicator()
  const received = [1, 2, 2, 3, 1].map(count => isNew('one', count))
  t.deepEqual(received, [true, true, false, true, false])
  t.true(isNew('other', 1))
})

test('close sends queued messages, and does not wait during an outage', async t => {
  const open = way(0)
  open.sender.push('last')
  await open.sender.close()
  t.deepEqual(open.arrived, ['last'])
  const cut = way(Number.POSITIVE_INFINITY)
  cut.sender.push('last')
  await cut.sender.close()
  t.deepEqual(cut.arrived, [])
})
