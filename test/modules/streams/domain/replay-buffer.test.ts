import { isDeepStrictEqual } from 'node:util'
import test from 'ava'
import fc from 'fast-check'
import {
  allFrames,
  append,
  confirm,
  createReplayBuffer,
  framesSince,
  MAX_BYTES,
  MAX_FRAMES,
  restoreReplayBuffer,
} from '../../../../modules/streams/domain/replay-buffer.ts'

test('numbers frames from 1 and buffers them until confirmed', t => {
  const buffer = createReplayBuffer()
  t.deepEqual(
    ['a', 'b', 'c'].map(tail => append(buffer, tail)),
    [1, 2, 3],
  )
  t.deepEqual(framesSince(buffer, 1), { first: 2, tails: ['b', 'c'] })
  t.deepEqual(framesSince(buffer, undefined), { first: 1, tails: ['a', 'b', 'c'] })
  t.deepEqual(framesSince(buffer, 3), { first: 4, tails: [] })
  confirm(buffer, 2)
  t.deepEqual(framesSince(buffer, undefined), { first: 3, tails: ['c'] })
  t.is(framesSince(buffer, 1), undefined)
  t.is(framesSince(buffer, 4), undefined)
  t.is(buffer.bytes, 1)
})

test('buffers at most 256 frames or 256 KiB', t => {
  const buffer = createReplayBuffer()
  for (let i = 0; i < MAX_FRAMES + 1; i++) append(buffer, 'x')
  t.is(framesSince(buffer, 0), undefined)
  t.is(framesSince(buffer, 1)?.tails.length, MAX_FRAMES)
  const heavy = createReplayBuffer()
  for (let i = 0; i < 5; i++) append(heavy, 'x'.repeat(MAX_BYTES / 4))
  t.is(framesSince(heavy, 0), undefined)
  t.is(framesSince(heavy, 1)?.tails.length, 4)
})

test('releases memory that a burst needed once its frames are confirmed', t => {
  const buffer = createReplayBuffer()
  for (let i = 0; i < 5; i++) append(buffer, 'x'.repeat(MAX_BYTES / 5))
  t.true(buffer.memory.length >= MAX_BYTES)
  confirm(buffer, 5)
  t.is(buffer.memory.length, 0)
  append(buffer, 'next')
  t.deepEqual(framesSince(buffer, 5), { first: 6, tails: ['next'] })
})

test('restores buffered frames with their numbers', t => {
  const buffer = createReplayBuffer()
  for (const tail of ['a', 'Grüße', 'c']) append(buffer, tail)
  confirm(buffer, 1)
  const restored = restoreReplayBuffer(buffer.seq, allFrames(buffer))
  t.deepEqual(framesSince(restored, 1), { first: 2, tails: ['Grüße', 'c'] })
  t.is(framesSince(restored, 0), undefined)
  t.is(append(restored, 'd'), 4)
})

test('replays a contiguous suffix of the appended frames', t => {
  const long = fc.nat({ max: MAX_BYTES / 2 }).map(length => 'x'.repeat(length))
  const text = fc.oneof(
    { weight: 10, arbitrary: fc.string({ maxLength: 40 }) },
    { weight: 10, arbitrary: fc.string({ unit: 'grapheme', maxLength: 400 }) },
    { weight: 1, arbitrary: long },
  )
  const step = fc.oneof({ weight: 3, arbitrary: text }, { weight: 1, arbitrary: fc.nat(600) })
  fc.assert(
    fc.property(fc.array(step, { maxLength: 600, size: 'max' }), fc.nat(600), fc.nat(5), (steps, from, modulus) => {
      const buffer = createReplayBuffer()
      const all: string[] = []
      for (const one of steps)
        if (typeof one === 'string') {
          all.push(one)
          append(buffer, one, all.length % modulus === 0)
        } else confirm(buffer, Math.min(one, buffer.seq))
      const kept = framesSince(buffer, undefined)
      const missed = framesSince(buffer, Math.min(from, buffer.seq))
      return [kept, missed].every(
        replayed => replayed === undefined || isDeepStrictEqual(replayed.tails, all.slice(replayed.first - 1)),
      )
    }),
  )
  t.pass()
})
