import test from 'ava'
import { createBucket, takeToken } from '../../../../kernel/base/rate-bucket.ts'

const RATE = { perSecond: 50, burst: 200 }
const taken = (bucket: ReturnType<typeof createBucket>, now: number): number => {
  let count = 0
  while (takeToken(bucket, RATE, now)) count++
  return count
}

test('allows a burst, then the rate', t => {
  const bucket = createBucket(RATE, 0)
  t.is(taken(bucket, 0), 200)
  t.is(taken(bucket, 1000), 50)
  t.is(taken(bucket, 1020), 1)
  t.is(taken(bucket, 60_000), 200)
})

test('a clock that is set back adds no tokens', t => {
  const bucket = createBucket(RATE, 10_000)
  t.is(taken(bucket, 10_000), 200)
  t.is(taken(bucket, 0), 0)
  t.is(taken(bucket, 1000), 50)
})
