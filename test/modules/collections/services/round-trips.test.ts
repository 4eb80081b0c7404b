import test, { type ExecutionContext } from 'ava'
import { startTestKernel } from '../../../../testing/index.ts'
import { countRoundTrips } from '../../content/round-trips.ts'
import { servicesOf } from '../services-of.ts'

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

async function start(t: ExecutionContext) {
  const kernel = await startTestKernel({ recipe })
  t.teardown(() => kernel.stop())
  const { tenantId, userId } = await kernel.register('ada@example.test')
  const services = servicesOf(kernel)
  const caller = { userId, memberId: 'mem_x', tenantId, roles: ['tenant.owner'], permissions: ['*'], can: () => true }
  const view = services.view(caller as never, tenantId)
  const posts = services.collectionMap.get('posts')
  const topics = services.collectionMap.get('topics')
  if (!posts || !topics) throw new Error('unreachable')
  return { services, view, posts, topics }
}

test('reads and creates rows in one round trip, and changes them in two', async t => {
  const { services, view, posts, topics } = await start(t)
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
  // The size of a table is read once a minute, for fields without an index.
  await services.reader.list(view, posts, query)
  t.is(await countRoundTrips(() => services.reader.list(view, posts, query)), 1)
  t.is(await countRoundTrips(() => services.reader.aggregate(view, posts, { group: 'topic' })), 1)
  const change = { id, given: { title: 'Changed' }, headers: {}, pointer: '' }
  t.is(await countRoundTrips(() => services.changer.update(view, posts, change)), 2)
  const list = Array.from({ length: 100 }, (_, at) => ({ given: { ...given, title: `Many ${at}` }, pointer: `/${at}` }))
  t.true((await countRoundTrips(() => services.creator.create(view, posts, list))) <= 7)
})
