/** Limits of rows in a product of people: each customer's rows count against their own plan. */
import test from 'ava'
import pg from 'pg'
import { personalCounts } from '../../../../modules/collections/recipe/declarations.ts'
import type { Client } from '../../../../testing/index.ts'
import { codeOf, expectStatus, type Listed } from '../../../fixtures/people.ts'
import { withPeople } from '../../../fixtures/with-people.ts'
import { servicesOf } from '../services-of.ts'

const declared = () => ({
  trash: '30d',
  fields: { title: { type: 'text' } },
  access: {
    read: { 'tenant.customer': { createdBy: '$user' }, 'tenant.owner': true },
    create: { 'tenant.customer': true, 'tenant.owner': true },
    delete: { 'tenant.customer': { createdBy: '$user' } },
  },
})
const recipe = {
  product: { key: 'test', name: 'Test', publicUrl: 'http://localhost:8080', audience: 'people' },
  modules: { identity: {}, billing: {}, collections: {} },
  entitlements: { notes: { kind: 'gauge' }, visits: { kind: 'meter', period: 'month' } },
  plans: { free: { name: 'Free', price: 0, entitlements: { notes: 2, visits: 2 } } },
  collections: {
    notes: { limit: 'notes', ...declared() },
    visits: { limit: 'visits', ...declared() },
  },
}
const { kernel, people, operator } = withPeople(test, { recipe }, { operator: 'operator' })

interface Member {
  readonly id: string
  readonly userId: string
  readonly roles: readonly string[]
}
const create = (client: Client, collection: string, body: object = { title: 'one' }) =>
  client.post<{ id: string }>(`/v1/data/${collection}`, body)
const outcomes = async (client: Client, collection: string, count: number) => {
  const answers = await Promise.all(Array.from({ length: count }, () => create(client, collection)))
  return answers.map(({ status }) => status).sort()
}
const used = async (client: Client, key: string) => {
  const { body } = await client.get('/v1/billing/entitlements')
  return body.data.find(entry => entry.key === key)?.used
}

test('two customers at once create as many rows as each of their plans allows', async t => {
  const [ada, bob] = await Promise.all([people.person(), people.person()])
  for (const collection of ['notes', 'visits']) {
    const [first, second] = await Promise.all([outcomes(ada, collection, 4), outcomes(bob, collection, 3)])
    t.deepEqual(first, [201, 201, 403, 403])
    t.deepEqual(second, [201, 201, 403])
  }
  t.deepEqual(await Promise.all([used(ada, 'notes'), used(bob, 'visits')]), [2, 2])
})

test('a deleted row makes room under a gauge, and not under a meter', async t => {
  const ada = await people.person()
  for (const [collection, status] of [
    ['notes', 201],
    ['visits', 403],
  ] as const) {
    const { body } = await create(ada, collection)
    await create(ada, collection)
    t.is((await ada.delete(`/v1/data/${collection}/${body.id}`)).status, 204)
    t.is((await create(ada, collection)).status, status)
  }
})

test('a row that is restored counts once in a meter', async t => {
  const ada = await people.person()
  const { body } = await create(ada, 'visits')
  await create(ada, 'visits')
  await ada.delete(`/v1/data/visits/${body.id}`)
  t.is((await ada.post(`/v1/data/visits/${body.id}/restore`, {})).status, 200)
  t.is(await used(ada, 'visits'), 2)
})

test('a batch over the limit creates nothing and uses nothing up', async t => {
  const ada = await people.person()
  const operations = ['one', 'two', 'three'].map(title => ({ action: 'create', data: { title } }))
  const refused = await ada.post('/v1/data/visits/batch', { operations } as never)
  t.is(codeOf(refused as never), '403 entitlement_exceeded')
  t.is(await used(ada, 'visits'), 0)
})

test('the plan of a customer limits them until they join the staff, and again when they leave it', async t => {
  const ada = await people.person()
  t.deepEqual(await outcomes(ada, 'notes', 3), [201, 201, 403])
  const { data } = expectStatus(200, await operator.get<Listed<Member>>('/v1/identity/members?limit=200'))
  const { id, roles } = data.find(({ userId }) => userId === ada.userId) as Member
  const path = `/v1/identity/members/${id}`
  expectStatus(200, await operator.patch(path, { roles: [...roles, 'tenant.owner'] }))
  t.deepEqual(await outcomes(ada, 'notes', 2), [201, 201])
  expectStatus(200, await operator.patch(path, { roles }))
  t.deepEqual(await outcomes(ada, 'notes', 1), [403])
  t.is(await used(ada, 'notes'), 4)
})

test('the plans of customers limit no staff', async t => {
  const staff = kernel.as(operator.token, operator.tenantId)
  t.deepEqual(await outcomes(staff, 'notes', 4), [201, 201, 201, 201])
  t.deepEqual(await outcomes(staff, 'visits', 4), [201, 201, 201, 201])
})

test('the rows of a person are counted by an index, among 100,000 rows of others', async t => {
  const ada = await people.person()
  await create(ada, 'notes')
  const owner = new pg.Client(kernel.databaseUrl)
  owner.on('error', () => {})
  await owner.connect()
  t.teardown(() => owner.end())
  await owner.query(
    `insert into data_notes (tenant_id, id, title, created_by)
     select $1, 'note_' || n, 'title', 'usr_' || n % 1000 from generate_series(1, 100000) n`,
    [operator.tenantId],
  )
  t.teardown(() => owner.query(`delete from data_notes where title = 'title'`))
  await owner.query('analyze data_notes')
  const { collectionMap } = servicesOf(kernel)
  const counts = new Map(personalCounts([...collectionMap.values()]))
  const { rows } = await kernel.kernel.ports.database
    .tenant(operator.tenantId)
    .query<Record<'QUERY PLAN', string>>(`explain ${counts.get('notes')}`, [operator.tenantId, ada.userId])
  const plan = rows.map(row => row['QUERY PLAN']).join('\n')
  t.regex(plan, /Index.* Scan .*data_notes/, plan)
  t.notRegex(plan, /Seq Scan/, plan)
  t.regex(plan, /created_by = /, plan)
})
