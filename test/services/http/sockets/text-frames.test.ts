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
    t.is(decode(encodeTextFrame(text)), text, String(length))
  }
})

test('counts bytes, not characters', t => {
  for (const length of [41, 42, 62, 63, 1024, 1025, 21_845, 21_846, 32_768])
    for (const character of ['ü', '€', '🎥']) {
      const text = character.repeat(length)
      t.is(decode(encodeTextFrame(text)), text, `${length} ${character}`)
    }
})

test('does not overwrite earlier frames', t => {
  const texts = Array.from({ length: 500 }, (_, at) => `${at} ${'€'.repeat(at)}`)
  t.deepEqual(texts.map(text => encodeTextFrame(text)).map(decode), texts)
})
