import test from 'ava'
import fc from 'fast-check'
import {
  arrived,
  MAX_KEPT,
  MAX_KEPT_BYTES,
  newLine,
  push,
  since,
} from '../../../../modules/streams/domain/replay-buffer.ts'

test('frames are numbered from one and kept until they have arrived', t => {
  const line = newLine()
  t.deepEqual(
    ['a', 'b', 'c'].map(tail => push(line, tail)),
    [1, 2, 3],
  )
  t.deepEqual(since(line, 1), { first: 2, tails: ['b', 'c'] })
  t.deepEqual(since(line, undefined), { first: 1, tails: ['a', 'b', 'c'] })
  t.deepEqual(since(line, 3), { first: 4, tails: [] })
  arrived(line, 2)
  t.deepEqual(since(line, undefined), { first: 3, tails: ['c'] })
  t.is(since(line, 1), undefined)
  t.is(since(line, 4), undefined)
  t.is(line.bytes, 1)
})

test('256 frames are kept, or 256 KiB of them', t => {
  const line = newLine()
  for (let i = 0; i < MAX_KEPT + 1; i++) push(line, 'x')
  t.is(since(line, 0), undefined)
  t.is(since(line, 1)?.tails.length, MAX_KEPT)
  const heavy = newLine()
  for (let i = 0; i < 5; i++) push(heavy, 'x'.repeat(MAX_KEPT_BYTES / 4))
  t.is(since(heavy, 0), undefined)
  t.is(since(heavy, 1)?.tails.length, 4)
})

test('whatever is pushed and arrives, what is replayed is a whole end of what was pushed', t => {
  const step = fc.oneof(fc.constant('push'), fc.nat(400))
  fc.assert(
    fc.property(fc.array(step, { maxLength: 600 }), fc.nat(600), (steps, from) => {
      const line = newLine()
      const all: string[] = []
      for (const one of steps)
        if (one === 'push') {
          all.push(`f${all.length}`)
          push(line, `f${all.length - 1}`)
        } else arrived(line, Math.min(Number(one), line.seq))
      const missed = since(line, Math.min(from, line.seq))
      return missed === undefined || missed.tails.join() === all.slice(missed.first - 1).join()
    }),
  )
  t.pass()
})
