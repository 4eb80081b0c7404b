import test from 'ava'
import type { Client, Person } from '../../../../testing/index.ts'
import { expectStatus, type Listed } from '../../../fixtures/people.ts'
import { join } from '../../../fixtures/topics.ts'
import { withPeople } from '../../../fixtures/with-people.ts'

interface Row {
  id: string
  [field: string]: unknown
}

const recipe = {
  modules: { identity: {}, comms: {}, billing: {}, collections: {} },
  entitlements: { level: { kind: 'gauge' }, archive: { kind: 'flag' } },
  plans: {
    free: { name: 'Free', price: 0, entitlements: { level: 1 } },
    pro: { name: 'Pro', price: 0, entitlements: { level: -1, archive: 1 } },
  },
  roles: {
    'tenant.agent': { name: 'Agent', permissions: [] },
    'tenant.lead': { name: 'Lead', permissions: [] },
  },
  profile: { user: { fields: { region: { type: 'text', readOnly: true } } } },
  collections: {
    issues: {
      scope: 'shared',
      fields: {
        title: { type: 'text' },
        audience: { type: 'enum', values: ['public', 'signedIn', 'paid'] },
      },
      access: {
        read: {
          anyone: { audience: 'public' },
          signedIn: { or: [{ audience: 'signedIn' }, { audience: 'paid', $plan: 'pro' }] },
        },
      },
    },
    people: { fields: { member: { type: 'member' } } },
    tasks: {
      fields: {
        title: { type: 'text' },
        role: { type: 'text' },
        level: { type: 'integer' },
        region: { type: 'text' },
        people: { type: 'reference', to: 'people', many: true },
      },
      access: {
        read: {
          'tenant.agent': {
            or: [{ role: '$role' }, { people: { contains: '$member' } }, { region: '$user.profile.region' }],
          },
          'tenant.lead': {
            or: [{ level: { lte: '$entitlement(level)' } }, { '$entitlement(archive)': true, role: 'old' }],
          },
        },
        create: { 'tenant.lead': { level: { lte: '$entitlement(level)' } } },
      },
    },
  },
}
const { kernel, people, owner, operator } = withPeople(test, { recipe }, { owner: 'owner', operator: 'operator' })

const create = async (client: Client, collection: string, body: unknown) =>
  expectStatus<Row>(201, await client.post<Row>(`/v1/data/${collection}`, body))
const titles = async (client: Client, collection = 'tasks') =>
  expectStatus(200, await client.get<Listed<Row>>(`/v1/data/${collection}?sort=title`)).data.map(({ title }) => title)
const setPlan = async ({ tenantId }: Pick<Person, 'tenantId'>, planKey: string) =>
  expectStatus(
    200,
    await operator.put(`/v1/billing/admin/tenants/${tenantId}/subscription`, { planKey, reason: 'A test' }),
  )

test('a visitor reads public rows, an account those and the ones for accounts, and a plan all of them', async t => {
  for (const audience of ['public', 'signedIn', 'paid']) await create(operator, 'issues', { title: audience, audience })
  const [reader, subscriber] = [await people.person(), await people.person()]
  await setPlan(subscriber, 'pro')
  const visitor: Client = kernel
  for (const order of [
    [visitor, reader, subscriber],
    [subscriber, visitor, reader],
    [reader, subscriber, visitor],
  ])
    for (const client of order)
      t.deepEqual(
        await titles(client, 'issues'),
        client === visitor ? ['public'] : client === reader ? ['public', 'signedIn'] : ['paid', 'public', 'signedIn'],
      )
  await setPlan(subscriber, 'free')
  t.deepEqual(await titles(subscriber, 'issues'), ['public', 'signedIn'])
})

test('a rule names the roles of the caller, the people of a list and the profile', async t => {
  const ada = await people.colleague(owner, ['tenant.agent'])
  const { data } = expectStatus(200, await owner.get<Listed<Row>>('/v1/identity/members'))
  const member = data.find(({ userId }) => userId === ada.userId)?.id
  const person = await create(owner, 'people', { member })
  await create(owner, 'tasks', { title: 'of the role', role: 'tenant.agent' })
  await create(owner, 'tasks', { title: 'of another role', role: 'tenant.lead' })
  await create(owner, 'tasks', { title: 'of the person', people: [person.id] })
  await create(owner, 'tasks', { title: 'of the region', region: 'north' })
  t.deepEqual(await titles(ada), ['of the person', 'of the role'])
  t.is((await ada.patch('/v1/auth/me', { profile: { region: 'north' } })).status, 422)
  t.deepEqual(await titles(ada), ['of the person', 'of the role'])
  const profile = { profile: { region: 'north' } }
  expectStatus(200, await operator.patch(`/v1/identity/admin/users/${ada.userId}`, profile))
  t.deepEqual(await titles(ada), ['of the person', 'of the region', 'of the role'])
})

test('a plan opens rows at once, to read and to write, and closes them again', async t => {
  const boss = await people.person()
  const lead = await people.colleague(boss, ['tenant.lead'])
  await create(boss, 'tasks', { title: 'first', level: 1 })
  await create(boss, 'tasks', { title: 'second', level: 2 })
  await create(boss, 'tasks', { title: 'archived', level: 9, role: 'old' })
  t.deepEqual(await titles(lead), ['first'])
  t.is((await lead.post('/v1/data/tasks', { title: 'third', level: 3 })).status, 403)
  await setPlan(boss, 'pro')
  t.deepEqual(await titles(lead), ['archived', 'first', 'second'])
  t.is((await lead.post('/v1/data/tasks', { title: 'third', level: 3 })).status, 201)
  await setPlan(boss, 'free')
  t.deepEqual(await titles(lead), ['first'])
  t.is((await lead.post('/v1/data/tasks', { title: 'fourth', level: 4 })).status, 403)
})

test('a subscription tells of a row only while the plan opens it', async t => {
  const boss = await people.person()
  const lead = await people.colleague(boss, ['tenant.lead'])
  const client = await join(kernel.url, lead)
  t.like(await client.subscribe('collections.rows', { collection: 'tasks' }), { type: 'subscribed' })
  const next = async () => ((await client.next('message')).data as { message: Record<string, unknown> }).message
  await create(boss, 'tasks', { title: 'hidden', level: 2 })
  await setPlan(boss, 'pro')
  const shown = await create(boss, 'tasks', { title: 'shown', level: 2 })
  t.like(await next(), { type: 'created', id: shown.id })
  await setPlan(boss, 'free')
  const first = await create(boss, 'tasks', { title: 'first', level: 1 })
  t.like(await next(), { type: 'created', id: first.id })
  await boss.patch(`/v1/data/tasks/${first.id}`, { level: 2 })
  t.like(await next(), { type: 'deleted', id: first.id })
})
