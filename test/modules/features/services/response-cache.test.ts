import test from 'ava'
import { createResponseCache } from '../../../../modules/features/services/response-cache.ts'

/** Counts how often a response was serialized. */
function countingCache(maxSize?: number) {
  const cache = createResponseCache(maxSize)
  const count = { serialized: 0 }
  const get = (key: string, length = 0) => cache.get(key, () => `${key[0]}${++count.serialized}`.padEnd(length))
  /** The second request caches the response. */
  const cached = (key: string, length?: number) => {
    get(key, length)
    return get(key, length)
  }
  return { get, cached, count }
}

test('caches a response from the second request on', t => {
  const { get, count } = countingCache(1000)
  for (let n = 0; n < 5; n++) get('a')
  t.is(count.serialized, 2)
  t.is(get('a'), get('a'))
  t.not(get('a').etag, get('b').etag)
})

test('the same response has the same tag in every process', t => {
  const tagOf = (key: string) => createResponseCache().get(key, () => '[1]').etag
  t.is(tagOf('x'), tagOf('y'))
})

test('evicts the oldest responses over the limit, and does not cache long responses or keys', t => {
  const { get, cached, count } = countingCache(100)
  const first = cached('a', 39)
  cached('b', 39)
  t.is(get('a', 39), first)
  cached('c', 39)
  t.not(get('a', 39), first)
  const before = count.serialized
  for (let n = 0; n < 3; n++) get('huge', 200)
  t.is(count.serialized, before + 3)
  const wide = countingCache(100_000)
  for (let n = 0; n < 3; n++) wide.get('q'.repeat(2001))
  t.is(wide.count.serialized, 3)
})

test('a burst of unique requests evicts no cached response', t => {
  const { get, cached, count } = countingCache(1000)
  const shared = cached('a')
  get('early')
  for (let n = 0; n < 2000; n++) get(`once ${n}`)
  t.is(get('a'), shared)
  const before = count.serialized
  get('early')
  get('early')
  get('early')
  t.is(count.serialized, before + 2)
})
