import test from 'ava'
import fc from 'fast-check'
import {
  append,
  confirm,
  createReplayBuffer,
  framesSince,
  MAX_BYTES,
  MAX_FRAMES,
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

test('replays a contiguous suffix of the appended frames', t => {
  const step = fc.oneof(fc.constant('push'), fc.nat(400))
  fc.assert(
    fc.property(fc.array(step, { maxLength: 600 }), fc.nat(600), (steps, from) => {
      const buffer = createReplayBuffer()
      const all: string[] = []
      for (const one of steps)
        if (one === 'push') {
          all.push(`f${all.length}`)
          append(buffer, `f${all.length - 1}`)
        } else confirm(buffer, Math.min(Number(one), buffer.seq))
      const missed = framesSince(buffer, Math.min(from, buffer.seq))
      return missed === undefined || missed.tails.join() === all.slice(missed.first - 1).join()
    }),
  )
  t.pass()
})
