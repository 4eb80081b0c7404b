import test from 'ava'
import { MAX_CHANNEL_MESSAGES, MAX_SKEW_MS, RETENTION_MS } from '../../../services/topics/limits.ts'
import { type Channel, createMessageLog } from '../../../services/topics/message-log.ts'
import { parsePosition } from '../../../services/topics/position.ts'

function createLog() {
  const clock = { at: 1_000_000_000 }
  const log = createMessageLog<string>(() => clock.at)
  clock.at += 2 * MAX_SKEW_MS
  const position = () => {
    const parsed = parsePosition(log.position())
    if (!parsed) throw new Error('no position')
    return parsed
  }
  const texts = (channel: Channel<string>, after: ReturnType<typeof position>) =>
    log.after(channel, after)?.map(({ text }) => text)
  return { clock, log, position, texts }
}

test('returns the messages after a position', t => {
  const { log, position, texts } = createLog()
  const channel = log.open('a')
  log.append(channel, 'n1', 1, 'one')
  const after = position()
  t.deepEqual(texts(channel, after), [])
  log.append(channel, 'n1', 3, 'two')
  log.append(log.open('b'), 'n1', 4, 'of another channel')
  log.append(channel, 'n2', 1, 'three')
  t.deepEqual(texts(channel, after), ['two', 'three'])
})

test('a process that received the messages in another order neither loses nor repeats one', t => {
  const here = createLog()
  const there = createLog()
  const [a, b] = [here.log.open('a'), there.log.open('a')]
  here.log.append(a, 'n1', 1, 'x')
  const after = here.position()
  there.log.append(b, 'n2', 1, 'y')
  there.log.append(b, 'n1', 1, 'x')
  t.deepEqual(there.texts(b, after), ['y'])
  here.log.append(a, 'n2', 1, 'y')
  t.deepEqual(there.texts(b, here.position()), [])
})

test('messages of a sender that the position does not name are new if they arrived after it', t => {
  const { clock, log, position, texts } = createLog()
  const channel = log.open('a')
  const before = position()
  log.append(channel, 'n1', 1, 'new')
  clock.at += 2 * MAX_SKEW_MS
  t.deepEqual(texts(channel, before), ['new'])
  t.deepEqual(texts(channel, { at: clock.at, heads: new Map() }), [])
})

test('a position before the start of the process is a gap', t => {
  const { clock, log, texts } = createLog()
  const channel = log.open('a')
  t.is(texts(channel, { at: clock.at - 2 * MAX_SKEW_MS, heads: new Map() }), undefined)
  t.deepEqual(texts(channel, { at: clock.at, heads: new Map() }), [])
})

test('old messages are dropped, also those of forgotten channels', t => {
  const { clock, log, position, texts } = createLog()
  const channel = log.open('a')
  const after = position()
  clock.at += 2 * MAX_SKEW_MS
  log.append(channel, 'n1', 1, 'one')
  t.deepEqual(texts(channel, after), ['one'])
  clock.at += RETENTION_MS + 1
  t.is(texts(channel, after), undefined)
  t.is(log.find('a'), undefined)
  t.is(texts(log.open('a'), after), undefined)
  t.deepEqual(texts(log.open('b'), { at: clock.at, heads: new Map() }), [])
})

test('a quiet channel with subscriptions resumes after any time', t => {
  const { clock, log, position, texts } = createLog()
  const channel = log.open('a')
  channel.subscriptions.add('someone')
  const after = position()
  clock.at += 100 * RETENTION_MS
  t.deepEqual(texts(channel, after), [])
})

test('a channel keeps a limited number of messages', t => {
  const { log, position, texts, clock } = createLog()
  const channel = log.open('a')
  const after = position()
  clock.at += 2 * MAX_SKEW_MS
  for (let number = 1; number <= MAX_CHANNEL_MESSAGES; number++) log.append(channel, 'n1', number, 'x')
  t.is(texts(channel, after)?.length, MAX_CHANNEL_MESSAGES)
  log.append(channel, 'n1', MAX_CHANNEL_MESSAGES + 1, 'x')
  t.is(texts(channel, after), undefined)
})

test('limits the bytes of all channels', t => {
  const { log, position, texts, clock } = createLog()
  const small = log.open('small')
  const after = position()
  clock.at += 2 * MAX_SKEW_MS
  log.append(small, 'n1', 1, 'x')
  for (let number = 2; number < 20; number++) log.append(log.open(`${number}`), 'n1', number, 'x'.repeat(1 << 20))
  t.is(texts(log.open('small'), after), undefined)
})

test('limits the number of small messages in all channels', t => {
  const { log, texts, clock } = createLog()
  const count = 50_000
  for (let number = 1; number <= count; number++) log.append(log.open(`${number}`), 'n1', number, '{}')
  const kept = Array.from({ length: count }, (_, index) => log.find(`${index + 1}`)).filter(Boolean).length
  t.true(kept > 1000 && kept < 20_000, String(kept))
  t.is(texts(log.open('1'), { at: clock.at, heads: new Map() }), undefined)
})

test('a message that is not kept, and a gap of the bus, end earlier positions', t => {
  const { clock, log, position, texts } = createLog()
  const [a, b] = [log.open('a'), log.open('b')]
  for (const channel of [a, b]) channel.subscriptions.add('someone')
  const after = position()
  log.append(a, 'n1', 1, null)
  t.is(texts(a, after), undefined)
  t.deepEqual(texts(b, after), [])
  clock.at += 2 * MAX_SKEW_MS
  const later = position()
  t.deepEqual(texts(a, later), [])
  log.clear()
  t.is(texts(a, later), undefined)
  t.is(texts(b, later), undefined)
})

test('a log inherits what another process received before, once and in order', t => {
  const [old, fresh] = [createLog(), createLog()]
  const [there, here] = [old.log.open('a'), fresh.log.open('a')]
  here.subscriptions.add('someone')
  old.log.append(there, 'n1', 1, 'seen')
  const after = old.position()
  old.log.append(there, 'n1', 2, 'missed')
  old.log.append(old.log.open('b'), 'n3', 1, 'of another channel')
  fresh.log.clear()
  for (const { log, channel } of [
    { log: old.log, channel: there },
    { log: fresh.log, channel: here },
  ]) {
    log.append(channel, 'n1', 3, 'both')
    log.append(channel, 'n2', 1, 'of another process')
  }
  t.is(fresh.texts(here, after), undefined)
  fresh.log.inherit(JSON.parse(JSON.stringify(old.log.snapshot())))
  t.deepEqual(fresh.texts(here, after), ['missed', 'both', 'of another process'])
  t.deepEqual(fresh.texts(fresh.log.open('b'), after), ['of another channel'])
  t.deepEqual(fresh.texts(fresh.log.open('c'), after), [])
  t.deepEqual(fresh.texts(here, fresh.position()), [])
})

test('a log inherits no messages of a channel that has a hole after them', t => {
  const [old, fresh] = [createLog(), createLog()]
  const [there, here] = [old.log.open('a'), fresh.log.open('a')]
  old.log.append(there, 'n1', 1, 'seen')
  const after = old.position()
  fresh.log.clear()
  fresh.clock.at += 1
  for (let number = 2; number <= MAX_CHANNEL_MESSAGES + 2; number++) fresh.log.append(here, 'n1', number, 'x')
  fresh.log.inherit(old.log.snapshot())
  t.is(fresh.texts(here, after), undefined)
})

test('inherited messages count against the limits', t => {
  const [old, fresh] = [createLog(), createLog()]
  const after = old.position()
  old.clock.at += 2 * MAX_SKEW_MS
  fresh.clock.at += 2 * MAX_SKEW_MS
  fresh.log.clear()
  for (let number = 1; number < 15; number++)
    old.log.append(old.log.open(`${number}`), 'n1', number, 'x'.repeat(1 << 20))
  const snapshot = old.log.snapshot()
  for (let number = 100; number < 110; number++)
    fresh.log.append(fresh.log.open('own'), 'n2', number, 'x'.repeat(1 << 20))
  fresh.log.inherit(snapshot)
  t.is(fresh.texts(fresh.log.open('1'), after), undefined)
  t.is(fresh.log.open('own').messages.length, 10)
})
