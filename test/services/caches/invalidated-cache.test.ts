import test from 'ava'
import { currentContext, withContext } from '../../../kernel/base/context.ts'
import { createInvalidatedCache, type InvalidatedCacheOptions } from '../../../services/caches/invalidated-cache.ts'

type Message = { readonly key: string }

/** A cache of strings on a bus that the test drives, and the keys that it loaded. */
function fixture(options: Partial<InvalidatedCacheOptions<string | undefined, Message>> = {}) {
  const bus: { message(message: Message): void; gap(): void; published: Message[] } = {
    message: () => undefined,
    gap: () => undefined,
    published: [],
  }
  const cache = createInvalidatedCache<string | undefined, Message>({
    subscribe(onMessage, onGap) {
      Object.assign(bus, { message: onMessage, gap: onGap })
    },
    publish: message => void bus.published.push(message),
    isStale: (message, key) => message.key === key,
    maxWeight: 100,
    ...options,
  })
  const loaded: string[] = []
  const get = (key: string, value: string | undefined = key) =>
    cache.get(key, async () => {
      loaded.push(key)
      return value
    })
  return { bus, cache, get, loaded }
}

test('returns a cached value without a promise', async t => {
  const { get, cache, loaded } = fixture()
  t.true(get('a') instanceof Promise)
  await get('a')
  t.is(get('a'), 'a')
  t.is(cache.peek('a'), 'a')
  t.deepEqual(loaded, ['a'])
})

test('concurrent misses share one load', async t => {
  const { get, cache, loaded } = fixture()
  const [first, second] = [get('a'), get('a')]
  t.is(first, second)
  t.is(cache.peek('a'), undefined)
  await first
  t.deepEqual(loaded, ['a'])
})

test('a unit of work does not wait for the load of another caller', async t => {
  const { cache } = fixture()
  const endless = cache.get('a', () => new Promise<string>(() => {}))
  const load = async () => 'loaded in the unit'
  t.is(await withContext({ unit: {} }, async () => cache.get('a', load)), 'loaded in the unit')
  t.is(cache.get('a', load), endless)
})

test('a shared load does not carry the precondition of the request that started it', async t => {
  const { cache } = fixture()
  const load = async () => String(currentContext().precondition)
  t.is(await withContext({ precondition: 'of a request' }, () => cache.get('a', load)), 'undefined')
})

test('a message drops the entries that it makes stale', async t => {
  const { bus, get, loaded } = fixture()
  await Promise.all([get('a'), get('b')])
  bus.message({ key: 'a' })
  await Promise.all([get('a'), get('b')])
  t.deepEqual(loaded, ['a', 'b', 'a'])
})

test('a gap drops everything', async t => {
  const { bus, get, loaded } = fixture()
  await Promise.all([get('a'), get('b')])
  bus.gap()
  await Promise.all([get('a'), get('b')])
  t.deepEqual(loaded, ['a', 'b', 'a', 'b'])
})

test('invalidating drops at once and publishes the message', async t => {
  const { bus, cache, get } = fixture()
  await get('a')
  cache.invalidate({ key: 'a' })
  t.is(cache.peek('a'), undefined)
  t.deepEqual(bus.published, [{ key: 'a' }])
})

test('does not cache a load that started before an invalidation', async t => {
  const { bus, cache, get } = fixture()
  const loading = get('a', 'old')
  bus.message({ key: 'a' })
  const again = get('a', 'new')
  t.is(await loading, 'old')
  t.is(await again, 'new')
  t.is(cache.peek('a'), 'new')
})

test('an undefined value and a failed load are not cached', async t => {
  const { cache, get, loaded } = fixture()
  await cache.get('a', async () => undefined)
  await t.throwsAsync(async () => cache.get('b', () => Promise.reject(new Error('unavailable'))), {
    message: 'unavailable',
  })
  await Promise.all([get('a'), get('b')])
  t.deepEqual(loaded, ['a', 'b'])
})

test('evicts the least recently used entries over the maximum weight', async t => {
  const { get, loaded } = fixture({ maxWeight: 10, weigh: () => 4 })
  for (const key of ['a', 'b', 'a', 'c', 'a', 'c']) await get(key)
  t.deepEqual(loaded, ['a', 'b', 'c'])
  await get('b')
  t.deepEqual(loaded, ['a', 'b', 'c', 'b'])
  await get('c')
  t.deepEqual(loaded, ['a', 'b', 'c', 'b'])
  await get('a')
  t.deepEqual(loaded, ['a', 'b', 'c', 'b', 'a'])
})

test('frees the weight of dropped entries', async t => {
  const { bus, get, loaded } = fixture({ maxWeight: 2 })
  for (const key of ['a', 'b']) await get(key)
  bus.message({ key: 'a' })
  await get('c')
  await get('b')
  t.deepEqual(loaded, ['a', 'b', 'c'])
})

test('an entry expires, and a clock that was set back does not keep it', async t => {
  const clock = { at: 1000, now: () => clock.at }
  const { get, loaded } = fixture({ expiry: { clock, lifeMs: 10 } })
  await get('a')
  clock.at = 1009
  t.is(get('a'), 'a')
  clock.at = 1010
  await get('a')
  t.deepEqual(loaded, ['a', 'a'])
  clock.at = 1009
  await get('a')
  t.deepEqual(loaded, ['a', 'a', 'a'])
})
