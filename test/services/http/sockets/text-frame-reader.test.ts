import test from 'ava'
import fc from 'fast-check'
import * as ws from 'ws'
import { TextFrameReader } from '../../../../services/http/sockets/text-frame-reader.ts'
import { BINARY, CLOSE, clientFrame, frameInFrame, PING } from './client-frames.ts'

const MAX_PAYLOAD = 1000
const CONTINUATION = 0

interface Receiver {
  on(event: 'message', listener: (data: Buffer) => void): void
  write(bytes: Buffer): void
}
const { Receiver } = ws as unknown as { Receiver: new (options: { isServer: boolean }) => Receiver }

function createReader() {
  const texts: string[] = []
  const reader = new TextFrameReader(MAX_PAYLOAD)
  reader.onText = text => texts.push(text)
  return { texts, reader }
}

test('reads all text frames of a read', t => {
  const { texts, reader } = createReader()
  const sent = ['', 'a', 'ü', 'x'.repeat(125), 'x'.repeat(126), '🎥'.repeat(250)]
  const bytes = Buffer.concat(sent.map(text => clientFrame(text)))
  t.is(reader.read(bytes, bytes.length), bytes.length)
  t.deepEqual(texts, sent)
})

for (const [what, frame] of Object.entries({
  'a binary frame': clientFrame('b', { opcode: BINARY }),
  'a ping': clientFrame('b', { opcode: PING }),
  'a close frame': clientFrame(Buffer.from([3, 232]), { opcode: CLOSE }),
  'a fragment': clientFrame('b', { final: false }),
  'a frame without a mask': clientFrame('b', { masked: false }),
  'a frame with a reserved bit': Buffer.concat([Buffer.from([0xc1]), clientFrame('b').subarray(1)]),
  'a frame over the limit': clientFrame('x'.repeat(MAX_PAYLOAD + 1)),
  'invalid UTF-8': clientFrame(Buffer.from([0xc3, 0x28])),
  'an incomplete frame': clientFrame('x'.repeat(200)).subarray(0, -1),
  'an incomplete header': clientFrame('x'.repeat(200)).subarray(0, 3),
}))
  test(`leaves ${what} unchanged`, t => {
    const { texts, reader } = createReader()
    const first = clientFrame('a')
    const bytes = Buffer.concat([first, frame])
    const before = Buffer.from(bytes)
    t.is(reader.read(bytes, bytes.length), first.length)
    t.deepEqual(texts, ['a'])
    t.deepEqual(bytes.subarray(first.length), before.subarray(first.length))
  })

test('leaves what follows a frame for the library', t => {
  const { texts, reader } = createReader()
  const bytes = Buffer.concat([clientFrame('', { opcode: PING }), clientFrame('a')])
  t.is(reader.read(bytes, bytes.length), 0)
  t.deepEqual(texts, [])
})

test('leaves a text frame within a fragmented message for the library', t => {
  const { texts, reader } = createReader()
  for (const frame of [clientFrame('a', { final: false }), clientFrame('b')]) t.is(reader.read(frame, frame.length), 0)
  t.deepEqual(texts, [])
})

test("doesn't take the rest of a frame for a frame", t => {
  const { texts, reader } = createReader()
  const { start, rest } = frameInFrame()
  t.is(reader.read(start, start.length), 0)
  t.is(reader.read(rest, rest.length), 0)
  t.is(reader.read(rest, rest.length), rest.length)
  t.deepEqual(texts, ['evil'])
})

test('ignores bytes behind the read', t => {
  const { texts, reader } = createReader()
  const bytes = clientFrame('abc')
  t.is(reader.read(bytes, bytes.length - 1), 0)
  t.deepEqual(texts, [])
})

test('stops when its listener is removed', t => {
  const { reader } = createReader()
  const texts: string[] = []
  reader.onText = text => {
    texts.push(text)
    reader.onText = undefined
  }
  const first = clientFrame('a')
  const bytes = Buffer.concat([first, clientFrame('b')])
  t.is(reader.read(bytes, bytes.length), first.length)
  t.deepEqual(texts, ['a'])
})

test('reads text frames again after frames for the library', t => {
  const { texts, reader } = createReader()
  const sent = [
    clientFrame('x'.repeat(300)),
    clientFrame('a', { final: false }),
    clientFrame('', { opcode: PING }),
    clientFrame('b', { opcode: CONTINUATION }),
    clientFrame('c'),
  ]
  const bytes = Buffer.concat(sent)
  const tail = sent[4]?.length ?? 0
  t.is(reader.read(bytes.subarray(0, 3), 3), 0)
  const middle = bytes.subarray(3, -tail)
  t.is(reader.read(middle, middle.length), 0)
  t.is(reader.read(bytes.subarray(-tail), tail), tail)
  t.deepEqual(texts, ['c'])
})

const payload = fc.oneof(
  fc.string({ unit: 'grapheme', maxLength: 300 }),
  fc.string({ minLength: 900, maxLength: 1100 }),
)
const message = fc.record({ payload, isSplit: fc.boolean(), isAfterPing: fc.boolean() })
const reads = fc.infiniteStream(fc.integer({ min: 1, max: 700 }))

function encode({
  payload,
  isSplit,
  isAfterPing,
}: {
  payload: string
  isSplit: boolean
  isAfterPing: boolean
}): Buffer {
  const ping = isAfterPing ? [clientFrame('p', { opcode: PING })] : []
  if (!isSplit) return Buffer.concat([...ping, clientFrame(payload)])
  const bytes = Buffer.from(payload)
  const [one, two] = [bytes.subarray(0, 1), bytes.subarray(1)]
  const fragments = [clientFrame(one, { final: false }), ...ping, clientFrame(two, { opcode: CONTINUATION })]
  return Buffer.concat(fragments)
}

test('reader and library together receive every message once, in order, however the reads are cut', t => {
  fc.assert(
    fc.property(fc.array(message, { maxLength: 12 }), reads, (messages, sizes) => {
      const received: string[] = []
      const { reader } = createReader()
      reader.onText = text => received.push(text)
      const library = new Receiver({ isServer: true })
      library.on('message', data => received.push(data.toString()))
      const bytes = Buffer.concat(messages.map(encode))
      for (let at = 0; at < bytes.length; ) {
        const read = Buffer.from(bytes.subarray(at, at + (sizes.next().value as number)))
        at += read.length
        const rest = reader.read(read, read.length)
        if (rest < read.length) library.write(read.subarray(rest))
      }
      t.deepEqual(
        received,
        messages.map(({ payload }) => Buffer.from(payload).toString()),
      )
    }),
    { numRuns: 500 },
  )
})
