import anyTest, { type TestFn } from 'ava'
import type { Person, TestKernel } from '../../../testing/index.ts'
import { type Colleague, type People, peopleOf } from '../../fixtures/people.ts'
import { dial, join } from '../../fixtures/topics.ts'
import { waitFor } from '../../fixtures/wait.ts'
import { startTopics } from './fixtures.ts'

interface Context {
  kernel: TestKernel
  people: People
  ada: Person
  bob: Colleague
}
const test = anyTest as TestFn<Context>

test.before(async t => {
  const kernel = await startTopics({
    env: {
      REALTIME_SOCKETS_PER_PERSON: '3',
      REALTIME_SOCKETS_PER_WORKSPACE: '5',
      REALTIME_SUBSCRIPTIONS_PER_PERSON: '4',
      REALTIME_SUBSCRIPTIONS_PER_WORKSPACE: '6',
    },
  })
  const people = peopleOf(kernel)
  const ada = await people.person('Ada')
  t.context = { kernel, people, ada, bob: await people.colleague(ada, ['tenant.reader']) }
})
test.after.always(t => t.context.kernel?.stop())

async function refusal({ url }: TestKernel, { token, tenantId }: { token: string; tenantId: string }) {
  const client = await dial(url)
  const { data } = await client.request('hello', { token, tenantId })
  return { ...data, close: (await client.closed).code }
}

test.serial('limits the sockets of a person and of a workspace', async t => {
  const { kernel, ada, bob, people } = t.context
  const sockets = [await join(kernel.url, ada), await join(kernel.url, ada), await join(kernel.url, ada)]
  t.like(await refusal(kernel, ada), { code: 'too_many_sockets', retryable: false, close: 4429 })
  sockets.push(await join(kernel.url, bob), await join(kernel.url, bob))
  t.like(await refusal(kernel, bob), {
    code: 'too_many_sockets',
    message: 'A workspace can have at most 5 open sockets.',
  })
  const stranger = await join(kernel.url, await people.person())
  sockets[0]?.cut()
  await waitFor(async () => {
    const another = await join(kernel.url, bob).catch(() => undefined)
    return another && sockets.push(another, stranger)
  })
  for (const socket of sockets) socket.cut()
  await Promise.all(sockets.map(({ closed }) => closed))
})

test.serial('limits the subscriptions of a person and of a workspace, over all sockets', async t => {
  const { kernel, ada, bob } = t.context
  const [one, two, other] = [await join(kernel.url, ada), await join(kernel.url, ada), await join(kernel.url, bob)]
  const subscribe = async (client: typeof one, subscription: string) => {
    const { type, data } = await client.subscribe('boards.cards', { board: 'a' }, { subscription })
    return data.code ?? type
  }
  for (const [client, id] of [
    [one, 'a'],
    [one, 'b'],
    [two, 'a'],
    [two, 'b'],
  ] as const)
    t.is(await subscribe(client, id), 'subscribed')
  t.is(await subscribe(two, 'c'), 'too_many_subscriptions')
  t.is(await subscribe(other, 'a'), 'subscribed')
  t.is(await subscribe(other, 'b'), 'subscribed')
  t.is(await subscribe(other, 'c'), 'too_many_subscriptions')
  const anonymous = await join(kernel.url)
  t.is((await anonymous.subscribe('boards.public', { board: 'a' })).type, 'subscribed')
  t.is((await one.subscribe('boards.nothing', {}, { subscription: 'x' })).data.code, 'unknown_topic')
  await one.request('unsubscribe', { subscription: 'a' })
  t.is(await subscribe(other, 'c'), 'subscribed')
  other.cut()
  await waitFor(async () => (await subscribe(one, 'd')) === 'subscribed')
  for (const socket of [one, two, anonymous]) socket.cut()
})
