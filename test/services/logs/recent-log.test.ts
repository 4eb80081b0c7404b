import test from 'ava'
import fc from 'fast-check'
import { pino } from 'pino'
import { HOUR, MINUTE } from '../../../kernel/index.ts'
import { createLineBuffer } from '../../../services/logs/line-buffer.ts'
import { createRecentLog } from '../../../services/logs/recent-log.ts'

const ALL = { minLevel: 0, limit: 100 }

function recorded() {
  const written: string[] = []
  const clock = { now: Date.UTC(2026, 0, 1) }
  const log = pino({ level: 'debug', base: undefined }, { write: line => void written.push(line) })
  return { log, written, clock, recent: createRecentLog(log, () => clock.now) }
}
const messages = ({ entries }: { readonly entries: readonly { readonly message: string }[] }) =>
  entries.map(({ message }) => message)

test('lists the lines of a logger and its children, newest first, and still writes them', t => {
  const { log, written, recent } = recorded()
  log.info({ requestId: 'req_1', status: 200 }, 'request')
  log.child({ part: 'relay' }).warn('slow')
  log.error({ err: new Error('no connection') }, 'failed')
  log.trace('below the level of the log')
  const { entries, hasMore } = recent.list(ALL)
  t.deepEqual(messages({ entries }), ['failed', 'slow', 'request'])
  t.false(hasMore)
  t.like(entries[2], { level: 30, requestId: 'req_1', fields: { status: 200 } })
  t.like(entries[1], { level: 40, fields: { part: 'relay' } })
  t.like(entries[0]?.fields.err, { message: 'no connection' })
  t.is(new Set(entries.map(({ id }) => id)).size, 3)
  t.is(written.length, 3)
})

test('filters by level, text, request and time', t => {
  const { log, recent, clock } = recorded()
  const start = clock.now
  log.info({ requestId: 'req_1', path: '/v1/Pages' }, 'request')
  clock.now += MINUTE
  log.warn({ requestId: 'req_12' }, 'slow')
  clock.now += MINUTE
  log.debug('detail')
  t.deepEqual(messages(recent.list({ ...ALL, minLevel: 30 })), ['slow', 'request'])
  t.deepEqual(messages(recent.list({ ...ALL, minLevel: 40 })), ['slow'])
  t.deepEqual(messages(recent.list({ ...ALL, text: '/V1/pages' })), ['request'])
  t.deepEqual(messages(recent.list({ ...ALL, requestId: 'req_1' })), ['request'])
  t.deepEqual(messages(recent.list({ ...ALL, since: start + MINUTE })), ['detail', 'slow'])
  t.deepEqual(messages(recent.list({ ...ALL, until: start + MINUTE })), ['slow', 'request'])
  const page = recent.list({ ...ALL, limit: 2 })
  t.deepEqual(messages(page), ['detail', 'slow'])
  t.true(page.hasMore)
})

test('forgets lines after an hour, and stops when it is closed', t => {
  const { log, recent, clock } = recorded()
  log.info('old')
  clock.now += HOUR / 2
  log.info('new')
  clock.now += HOUR / 2 + 1
  t.deepEqual(messages(recent.list(ALL)), ['new'])
  recent.close()
  log.info('later')
  t.deepEqual(messages(recent.list(ALL)), ['new'])
})

test('request lines do not displace errors', t => {
  const { log, recent } = recorded()
  log.error('failed')
  for (let n = 0; n < 20_000; n++) log.info({ n }, 'request')
  const { entries } = recent.list({ ...ALL, limit: 10_000 })
  t.is(entries.length, 5001)
  t.is(entries.at(-1)?.message, 'failed')
  t.is(entries[0]?.fields.n, 19_999)
})

test('shortens long lines', t => {
  const { log, recent } = recorded()
  const error = Object.assign(new Error('x'.repeat(100_000)), { detail: 'y'.repeat(1_000_000) })
  log.error({ err: error, requestId: 'req_1' }, 'z'.repeat(50_000))
  const [entry] = recent.list(ALL).entries
  t.true(JSON.stringify(entry).length < 17_000)
  t.is(entry?.requestId, 'req_1')
  t.true(entry?.fields.shortened)
})

test('leaves out the lines of other loggers of the process', t => {
  const { log, recent } = recorded()
  pino({ level: 'debug' }, { write: () => {} }).info('of another logger')
  log.info('of this one')
  t.deepEqual(messages(recent.list(ALL)), ['of this one'])
})

test('two kernels that share a log both record it', t => {
  const { log, recent } = recorded()
  const next = createRecentLog(log)
  log.info('both')
  recent.close()
  log.info('second')
  t.deepEqual(messages(next.list(ALL)), ['second', 'both'])
  next.close()
})

test('a buffer is bounded by bytes', t => {
  const buffer = createLineBuffer({ lines: 10, bytes: 10, ageMs: HOUR })
  for (let sequence = 0; sequence < 25; sequence++) buffer.add({ sequence, at: 0, level: 30, text: 'four' })
  t.deepEqual(
    [...buffer.newest(0)].map(({ sequence }) => sequence),
    [24, 23],
  )
  buffer.add({ sequence: 25, at: 0, level: 30, text: 'longer than all' })
  t.deepEqual([...buffer.newest(0)], [])
  buffer.add({ sequence: 26, at: 0, level: 30, text: 'four' })
  t.deepEqual(
    [...buffer.newest(0)].map(({ sequence }) => sequence),
    [26],
  )
})

test('a buffer keeps the newest lines of any length, whole', t => {
  const maxBytes = 40
  fc.assert(
    fc.property(fc.array(fc.string({ unit: 'grapheme', maxLength: 12 }), { maxLength: 80 }), texts => {
      const buffer = createLineBuffer({ lines: 6, bytes: maxBytes, ageMs: HOUR })
      for (const [sequence, text] of texts.entries()) {
        const line = { sequence, at: sequence, level: 30, text }
        buffer.add(line)
        const kept = [...buffer.newest(sequence)]
        const bytes = Buffer.byteLength(line.text)
        t.deepEqual(kept[0], bytes > maxBytes ? undefined : line)
        for (const [index, { sequence: found, text: stored }] of kept.entries()) {
          t.is(found, sequence - index)
          t.is<string | undefined, string | undefined>(stored, texts[found])
        }
      }
    }),
  )
})
