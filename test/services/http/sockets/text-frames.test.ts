import test from 'ava'
import { encodeTextFrame } from '../../../../services/http/sockets/text-frames.ts'

/** The text of a frame that has the shortest possible header and no other bytes. */
function decode(frame: Buffer): string {
  const [type, length = 0] = frame
  if (type !== 0x81) throw new Error(`not a final text frame: ${type}`)
  if (length < 126) return payload(frame, 2, length, 0)
  if (length === 126) return payload(frame, 4, frame.readUInt16BE(2), 126)
  return payload(frame, 10, Number(frame.readBigUInt64BE(2)), 65_536)
}

function payload(frame: Buffer, start: number, size: number, minSize: number): string {
  if (size < minSize || frame.length !== start + size) throw new Error(`${size} bytes from ${start} of ${frame.length}`)
  return frame.toString('utf8', start)
}

test('encodes texts of every length of header', t => {
  for (const length of [0, 1, 125, 126, 127, 1024, 1025, 65_535, 65_536, 200_000]) {
    const text = 'x'.repeat(length)
    t.is(decode(encodeTextFrame(text, '', false)), text, String(length))
  }
})

test('counts bytes, not characters', t => {
  for (const length of [41, 42, 62, 63, 1024, 1025, 21_845, 21_846, 32_768])
    for (const character of ['ü', '€', '🎥']) {
      const text = character.repeat(length)
      t.is(decode(encodeTextFrame(text, '', false)), text, `${length} ${character}`)
    }
})

test('joins both parts of a frame', t => {
  for (const [text, rest] of [
    ['{"seq":1,', '"data":"ü"}'],
    ['€'.repeat(60), 'x'],
    ['a', '🎥'.repeat(400)],
    ['a', 'x'.repeat(70_000)],
  ] as const)
    for (const isKept of [false, true]) t.is(decode(encodeTextFrame(text, rest, isKept)), text + rest)
})

test('does not overwrite earlier frames', t => {
  const texts = Array.from({ length: 500 }, (_, at) => `${at} ${'€'.repeat(at)}`)
  t.deepEqual(texts.map(text => encodeTextFrame(text, '', false)).map(decode), texts)
})

test('frames that may wait for a slow client keep no other memory', t => {
  for (const text of ['a', '€'.repeat(100), 'x'.repeat(70_000)]) {
    const frame = encodeTextFrame(text, '', true)
    t.is(decode(frame), text)
    t.true(frame.buffer.byteLength <= frame.length + 8)
  }
})
