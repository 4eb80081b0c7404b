import test from 'ava'
import {
  appendFrame,
  encodeLongFrame,
  hasRoomFor,
  isLongFrame,
  keepFrames,
  takeFrames,
} from '../../../../services/http/sockets/text-frames.ts'
import { serverFrames, TEXT } from './client-frames.ts'

function decode(frames: Buffer): string[] {
  return serverFrames(frames).map(({ opcode, payload }) => {
    if (opcode !== TEXT) throw new Error(`not a text frame: ${opcode}`)
    return String(payload)
  })
}

const encode = (...frames: readonly (readonly [text: string, rest: string])[]) => {
  for (const [text, rest] of frames) appendFrame(text, rest)
  return decode(takeFrames())
}

test('encodes texts of every length of header', t => {
  for (const length of [0, 1, 125, 126, 127, 1024, 1025, 5459]) {
    const text = 'x'.repeat(length)
    t.deepEqual(encode([text, '']), [text], String(length))
  }
  for (const length of [0, 1, 125, 126, 65_535, 65_536, 200_000]) {
    const text = 'x'.repeat(length)
    t.deepEqual(decode(encodeLongFrame(text)), [text], String(length))
  }
})

test('counts bytes, not characters', t => {
  for (const length of [41, 42, 62, 63, 124, 125, 1024, 1819])
    for (const character of ['ü', '€', '🎥']) {
      const text = character.repeat(length)
      t.deepEqual(encode([text, '']), [text], `${length} ${character}`)
      t.deepEqual(decode(encodeLongFrame(text)), [text], `${length} ${character}`)
    }
})

test('joins both parts of each frame', t => {
  const frames = [
    ['{"seq":1,', '"data":"ü"}'],
    ['€'.repeat(60), 'x'],
    ['', '€'.repeat(100)],
    ['a', '🎥'.repeat(400)],
    ['b', 'x'.repeat(2000)],
  ] as const
  t.deepEqual(
    encode(...frames),
    frames.map(([text, rest]) => text + rest),
  )
})

test('has room for frames while their characters could all have three bytes', t => {
  t.true(isLongFrame(5461))
  t.false(isLongFrame(5460))
  t.true(hasRoomFor(5460))
  appendFrame('€'.repeat(2000), '')
  t.true(hasRoomFor(3458))
  t.false(hasRoomFor(3459))
  takeFrames()
  t.true(hasRoomFor(5460))
})

test('overwrites the frames that were taken, unless they are kept', t => {
  const write = (text: string) => {
    appendFrame(text, '')
    return takeFrames()
  }
  const taken = write('first')
  write('other')
  t.deepEqual(decode(taken), ['other'])
  const kept = write('kept')
  keepFrames()
  write('next')
  t.deepEqual(decode(kept), ['kept'])
})
