import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import test from 'ava'
import type { CollectionServices } from '../../../../modules/collections/services/collection-services.ts'
import type { BatchMessage } from '../../../../services/postgres/send-batch.ts'
import { startTestKernel } from '../../../../testing/index.ts'
import { countRoundTrips } from '../../content/round-trips.ts'

const anything = () => ({ 'tenant.member': true })
const recipe = {
  modules: { identity: {}, comms: {}, collections: {} },
  collections: {
    topics: { fields: { name: { type: 'text' } }, access: { read: anything() } },
    posts: {
      fields: {
        title: { type: 'text', required: true },
        slug: { type: 'slug', from: 'title', unique: true },
        topic: { type: 'reference', to: 'topics' },
        topics: { type: 'reference', to: 'topics', many: true },
      },
      access: { read: anything(), create: anything(), update: anything() },
      history: 2,
    },
  },
}

test('reads and creates rows in one round trip, and changes them in two', async t => {
  const kernel = await startTestKernel({ recipe })
  t.teardown(() => kernel.stop())
  const { tenantId, userId } = await kernel.register('ada@example.test')
  const services = kernel.kernel.ports.collectionServices as CollectionServices
  const caller = { userId, memberId: 'mem_x', tenantId, roles: ['tenant.owner'], permissions: ['*'], can: () => true }
  const view = services.view(caller as never, tenantId)
  const posts = services.collections.get('posts')
  const topics = services.collections.get('topics')
  if (!posts || !topics) throw new Error('unreachable')
  const [topic] = await services.creator.create(view, topics, [{ given: { name: 'x' }, pointer: '' }])
  const given = { title: 'Hello', topic: topic?.id, topics: [topic?.id] }
  let id = ''
  const create = async () => {
    const [row] = await services.creator.create(view, posts, [{ given, pointer: '' }])
    id = row?.id ?? ''
  }
  t.is(await countRoundTrips(create), 1)
  t.is(await countRoundTrips(() => services.reader.get(view, posts, id, { expand: 'topic,topics' })), 1)
  const query = { 'filter[topic.name]': 'x', sort: 'title', expand: 'topic,topics', include: 'total' }
  t.is(await countRoundTrips(() => services.reader.list(view, posts, query)), 1)
  t.is(await countRoundTrips(() => services.reader.aggregate(view, posts, { group: 'topic' })), 1)
  const change = { id, given: { title: 'Changed' }, headers: {}, pointer: '' }
  t.is(await countRoundTrips(() => services.changer.update(view, posts, change)), 2)
  const list = Array.from({ length: 100 }, (_, at) => ({ given: { ...given, title: `Many ${at}` }, pointer: `/${at}` }))
  t.true((await countRoundTrips(() => services.creator.create(view, posts, list))) <= 7)
})

test('the read of a row shares a connection, unless it follows references', async t => {
  const kernel = await startTestKernel({ recipe })
  t.teardown(() => kernel.stop())
  const { userId, tenantId } = await kernel.register('ada@example.test')
  const services = kernel.kernel.ports.collectionServices as CollectionServices
  const caller = { userId, memberId: 'mem_x', tenantId, roles: ['tenant.owner'], permissions: ['*'], can: () => true }
  const view = services.view(caller as never, tenantId)
  const posts = services.collections.get('posts')
  if (!posts) throw new Error('unreachable')
  const [row] = await services.creator.create(view, posts, [{ given: { title: 'Hello' }, pointer: '' }])
  const arePipelined: boolean[] = []
  const listener = (message: unknown) => {
    for (const { statement } of (message as BatchMessage).statements)
      if (statement.text.includes('from "data_posts" r')) arePipelined.push(statement.isPipelined)
  }
  subscribe('larder.postgres.batch', listener)
  t.teardown(() => unsubscribe('larder.postgres.batch', listener))
  const isPipelined = async (query: { fields?: string; expand?: string }) => {
    // Statements are prepared from the fifth use on.
    for (let uses = 0; uses < 5; uses++) await services.reader.getText(view, posts, String(row?.id), query)
    return arePipelined.at(-1)
  }
  t.true(await isPipelined({ fields: 'title,topic' }))
  t.false(await isPipelined({ fields: 'title,topics' }))
  t.false(await isPipelined({ fields: 'title', expand: 'topic' }))
})
