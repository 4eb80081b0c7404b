import { setTimeout as pause } from 'node:timers/promises'
import anyTest, { type TestFn } from 'ava'
import { createSubscribedChannels, type SubscribedChannels } from '../../../services/topics/subscribed-channels.ts'
import type { TestKernel } from '../../../testing/index.ts'
import { connectAsOwner, type OwnerClient } from '../../reliability/fixtures.ts'
import { startTopics } from './fixtures.ts'

const test = anyTest as TestFn<{ kernel: TestKernel; owner: OwnerClient }>

test.before(async t => {
  const kernel = await startTopics()
  t.context = { kernel, owner: connectAsOwner(kernel.databaseUrl) }
})
test.after.always(async t => {
  await t.context.owner?.end()
  await t.context.kernel?.stop()
})

/** The channels as another process sees them. */
const process = ({ kernel }: { kernel: TestKernel }): SubscribedChannels =>
  createSubscribedChannels({ systemDatabase: kernel.kernel.ports.systemDatabase, log: kernel.kernel.ports.log })

const setRemaining = ({ owner }: { owner: OwnerClient }, channel: string, seconds: number) =>
  owner.query(`update larder_subscribed_channels set until = now() + interval '${seconds} seconds' where id = $1`, [
    channel,
  ])
const find = async (channels: SubscribedChannels, ...ids: string[]) => [...(await channels.find(new Set(ids)))]

test('every process finds a channel once it is subscribed, and no other channel', async t => {
  const [one, two] = [process(t.context), process(t.context)]
  t.deepEqual(await find(two, 'seen', 'unseen'), [])
  await one.subscribe('seen')
  t.deepEqual(await find(two, 'seen', 'unseen'), ['seen'])
  t.deepEqual(await find(one, 'seen', 'unseen'), ['seen'])
})

test('subscriptions in several processes share an epoch, also one that renews the channel', async t => {
  const [one, two] = [process(t.context), process(t.context)]
  const epoch = await one.subscribe('shared')
  t.is(await two.subscribe('shared'), epoch)
  t.is(await one.subscribe('shared'), epoch)
  t.is((await one.renew(['shared'])).get('shared'), epoch)
})

test('a channel whose entry has ended is not found, and has a new epoch', async t => {
  const epoch = await process(t.context).subscribe('ended')
  await setRemaining(t.context, 'ended', -1)
  t.deepEqual(await find(process(t.context), 'ended'), [])
  const later = process(t.context)
  t.not(await later.subscribe('ended'), epoch)
  t.deepEqual(await find(later, 'ended'), ['ended'])
})

test('an entry that is about to end gets a new epoch with its extension, and an earlier one keeps it', async t => {
  const epoch = await process(t.context).subscribe('ending')
  await setRemaining(t.context, 'ending', 60)
  t.is((await process(t.context).renew(['ending'])).get('ending'), epoch)
  await setRemaining(t.context, 'ending', 20)
  t.not((await process(t.context).renew(['ending'])).get('ending'), epoch)
})

test('a process looks a channel up again when its entry has ended', async t => {
  const one = process(t.context)
  await process(t.context).subscribe('short')
  await setRemaining(t.context, 'short', 1)
  t.deepEqual(await find(one, 'short'), ['short'])
  await pause(1100)
  t.deepEqual(await find(one, 'short'), [])
})

test('concurrent subscriptions to many channels in several processes succeed', async t => {
  const ids = Array.from({ length: 1200 }, (_, index) => `many ${index}`)
  const processes = Array.from({ length: 4 }, () => process(t.context))
  const epochs = await Promise.all(
    processes.map((one, index) =>
      Promise.all((index % 2 ? ids.toReversed() : ids).map(async id => [id, await one.subscribe(id)] as const)),
    ),
  )
  const [first = [], ...others] = epochs.map(pairs => pairs.toSorted(([a], [b]) => (a < b ? -1 : 1)))
  for (const other of others) t.deepEqual(other, first)
  t.is((await find(process(t.context), ...ids)).length, ids.length)
})

test('entries that ended long ago are deleted', async t => {
  const one = process(t.context)
  await one.subscribe('old')
  await setRemaining(t.context, 'old', -3600)
  await one.renew(['new'])
  t.deepEqual(await t.context.owner.query('select id from larder_subscribed_channels where id = $1', ['old']), [])
})

test('every channel counts as subscribed if the table cannot be read', async t => {
  const failing = createSubscribedChannels({
    systemDatabase: {
      acrossTenants: () => {
        throw new Error('unavailable')
      },
    },
    log: t.context.kernel.kernel.ports.log,
  })
  t.deepEqual(await find(failing, 'a', 'b'), ['a', 'b'])
  await t.throwsAsync(failing.subscribe('a'), { message: 'unavailable' })
})
