import test from 'ava'
import { createResourceCache } from '../../../services/threads/resource-cache.ts'

test('opens the resource of a key once', async t => {
  const openOnce = createResourceCache<object>()
  const [first, second] = [openOnce('a', async () => ({})), openOnce('a', async () => ({}))]
  t.is(await first, await second)
  t.not(await openOnce('b', async () => ({})), await first)
})

test('opens a resource again that failed to open', async t => {
  const openOnce = createResourceCache<string>()
  const failed = openOnce('a', async () => {
    throw new Error('not loaded')
  })
  await t.throwsAsync(failed, { message: 'not loaded' })
  t.is(await openOnce('a', async () => 'loaded'), 'loaded')
})
