/** Newsletter: who reads which issues, also while the reader subscribes and cancels. */
import test from 'ava'
import type { Client } from '../../../testing/index.ts'
import { change, create, created, mailTo, product, rowsOf, staff } from './fixtures.ts'

const KINDS = ['everybody', 'readers', 'subscribers'] as const

let editor: Client
const newsletter = product(test, 'newsletter', async running => {
  editor = await staff(running, await running.people.operator(), ['tenant.editor'])
  for (const readers of KINDS) {
    const { id } = await created(editor, 'issues', { title: `For ${readers}`, body: 'Text', readers })
    await change(editor, 'issues', id, { status: 'published' })
  }
  await created(editor, 'issues', { title: 'A draft', body: 'Text', readers: 'everybody' })
})
const titles = async (client: Pick<Client, 'get'>) =>
  (await rowsOf(client, 'issues', '?sort=number')).map(({ title }) => title)
const buy = (client: Client) => client.post('/v1/billing/checkout', { planKey: 'subscriber' })
const [forAll, forReaders, forSubscribers] = KINDS.map(kind => `For ${kind}`) as [string, string, string]

test('a visitor sees the public issues alone, and a reader those for readers too', async t => {
  const reader = await newsletter.people.person()
  t.deepEqual(await titles(newsletter.kernel), [forAll])
  t.deepEqual(await titles(reader), [forAll, forReaders])
  t.deepEqual((await titles(editor)).sort(), ['A draft', forAll, forReaders, forSubscribers])
})

test('a subscriber sees all published issues, and no longer those of subscribers after the subscription', async t => {
  const reader = await newsletter.people.person()
  t.is((await buy(reader)).status, 201)
  t.deepEqual(await titles(reader), [forAll, forReaders, forSubscribers])
  t.is((await reader.post('/v1/billing/subscription/cancel', { when: 'now' })).status, 200)
  t.deepEqual(await titles(reader), [forAll, forReaders])
})

test('lists, single rows, search, filters, counts and exports show the same issues', async t => {
  const [reader, subscriber] = await Promise.all([newsletter.people.person(), newsletter.people.person()])
  await buy(subscriber)
  const [paid] = await rowsOf(editor, 'issues', '?filter[readers]=subscribers')
  t.is((await reader.get(`/v1/data/issues/${paid?.id}` as never)).status, 404)
  t.is((await subscriber.get(`/v1/data/issues/${paid?.id}` as never)).status, 200)
  for (const query of ['?filter[readers]=subscribers', '?q=subscribers', `?filter[slug]=${paid?.slug}`]) {
    t.is((await rowsOf(reader, 'issues', query)).length, 0, query)
    t.is((await rowsOf(subscriber, 'issues', query)).length, 1, query)
  }
  const totals = await Promise.all(
    [newsletter.kernel, reader, subscriber].map(client =>
      client.get<{ total: number }>('/v1/data/issues?include=total'),
    ),
  )
  t.deepEqual(
    totals.map(({ body }) => body.total),
    [1, 2, 3],
  )
})

test('readers in random order, all at once, each see what is theirs', async t => {
  const [reader, subscriber] = await Promise.all([newsletter.people.person(), newsletter.people.person()])
  await buy(subscriber)
  const callers = [newsletter.kernel, reader, subscriber]
  const order = Array.from({ length: 45 }, (_, index) => (index * 7 + (index % 4)) % callers.length)
  const seen = await Promise.all(order.map(index => titles(callers[index] as Client)))
  t.deepEqual(
    seen.map(list => list.length),
    order.map(index => index + 1),
  )
})

test('nobody but editors writes issues', async t => {
  const reader = await newsletter.people.person()
  await buy(reader)
  t.is((await create(reader, 'issues', { title: 'Mine', body: 'Text' })).status, 403)
  t.is((await create(newsletter.kernel, 'issues', { title: 'Mine', body: 'Text' })).status, 401)
})

test('new readers are welcomed and subscribers thanked by email', async t => {
  const reader = await newsletter.people.person()
  await buy(reader)
  const subjects = await mailTo(newsletter, reader.email)
  t.true(subjects.includes('Welcome'))
  t.true(subjects.includes('Thank you for your subscription'))
})
