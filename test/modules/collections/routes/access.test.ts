import test from 'ava'
import type { Client } from '../../../../testing/index.ts'
import type { Listed, ProblemBody } from '../../../fixtures/people.ts'
import { withPeople } from '../../../fixtures/with-people.ts'

interface Row {
  id: string
  [field: string]: unknown
}

const recipe = {
  modules: { identity: {}, comms: {}, billing: {}, collections: {} },
  entitlements: { 'docs.count': { kind: 'gauge' } },
  plans: { free: { name: 'Free', price: 0, entitlements: { 'docs.count': 3 } } },
  roles: { 'tenant.reviewer': { name: 'Reviewer', permissions: ['identity.member.read'] } },
  collections: {
    countries: {
      scope: 'shared',
      fields: { code: { type: 'text', required: true, unique: true }, listed: { type: 'boolean', default: true } },
      access: { read: { 'tenant.member': { listed: true }, anyone: { listed: true } } },
    },
    docs: {
      fields: {
        title: { type: 'text', required: true },
        remarks: { type: 'text', read: ['tenant.reviewer'] },
        country: { type: 'reference', to: 'countries' },
      },
      search: ['title'],
      limit: 'docs.count',
      access: {
        read: { 'tenant.member': true },
        create: { 'tenant.member': true },
        delete: { 'tenant.member': { createdBy: '$user' } },
      },
    },
    labels: {
      fields: { name: { type: 'text' }, rating: { type: 'integer', read: ['tenant.reviewer'] } },
      access: { read: { 'tenant.member': true, 'tenant.reviewer': true }, create: { 'tenant.owner': true } },
    },
    labeled: {
      fields: { title: { type: 'text' }, label: { type: 'reference', to: 'labels' } },
      access: { read: { 'tenant.member': true, 'tenant.reviewer': true }, create: { 'tenant.owner': true } },
    },
    notes: { fields: { text: { type: 'text' } }, access: { read: { 'tenant.member': { createdBy: '$user' } } } },
    letters: { fields: { text: { type: 'text' } }, access: { read: { 'tenant.member': { createdBy: '$user' } } } },
    comments: {
      fields: { doc: { type: 'reference', to: 'docs', required: true, onDelete: 'cascade' }, text: { type: 'text' } },
      access: {
        read: { 'tenant.member': { 'doc.createdBy': '$user' } },
        create: { 'tenant.member': { 'doc.createdBy': '$user' } },
        update: { 'tenant.member': { 'doc.createdBy': '$user' } },
      },
      history: 3,
    },
  },
}

const { kernel, people, owner } = withPeople(test, { recipe }, { owner: 'owner' })

async function create(client: Client, collection: string, body: unknown): Promise<Row> {
  const made = await client.post<Row>(`/v1/data/${collection}`, body)
  if (made.status !== 201) throw new Error(JSON.stringify(made.body))
  return made.body
}
const list = async (client: Client, path: string) => (await client.get<Listed<Row>>(`/v1/data/${path}`)).body.data

test('rows of a shared collection belong to the operator, and every tenant reads them', async t => {
  const operator = await people.operator()
  const listed = await create(operator, 'countries', { code: 'de' })
  const hidden = await create(operator, 'countries', { code: 'xx', listed: false })
  t.like(await owner.post<ProblemBody>('/v1/data/countries', { code: 'fr' }), {
    status: 403,
    body: { code: 'forbidden' },
  })
  t.is((await owner.patch(`/v1/data/countries/${listed.id}`, { code: 'fr' })).status, 403)
  const member = await people.colleague(owner, ['tenant.member'])
  t.deepEqual(
    (await list(member, 'countries')).map(({ code }) => code),
    ['de'],
  )
  t.deepEqual(
    (await list(kernel, 'countries')).map(({ code }) => code),
    ['de'],
  )
  const person = await people.person()
  const doc = await create(person, 'docs', { title: 'x', country: listed.id })
  t.like((await person.get<Row>(`/v1/data/docs/${doc.id}?expand=country`)).body.country, { code: 'de' })
  t.is((await list(person, 'docs?filter[country.code]=de')).length, 1)
  const colleague = await people.colleague(person, ['tenant.member'])
  t.is((await colleague.post('/v1/data/docs', { title: 'y', country: hidden.id })).status, 422)
})

test('a tenant has its own rows', async t => {
  const [one, two] = [await people.person(), await people.person()]
  const doc = await create(one, 'docs', { title: 'mine' })
  t.deepEqual(await list(two, 'docs'), [])
  for (const call of [
    two.get(`/v1/data/docs/${doc.id}`),
    two.patch(`/v1/data/docs/${doc.id}`, { title: 'x' }),
    two.delete(`/v1/data/docs/${doc.id}`),
  ])
    t.is((await call).status, 404)
  const { body } = await two.post<ProblemBody>('/v1/data/comments', { doc: doc.id })
  t.like(body.errors, [{ pointer: '/doc', code: 'not_found' }])
  t.is(
    (await two.get<ProblemBody>('/v1/data/docs', { headers: { 'x-tenant-id': one.tenantId } })).body.code,
    'not_a_member',
  )
})

test('an entitlement limits the rows, also for many requests at once', async t => {
  const person = await people.person()
  const results = await Promise.all(
    [1, 2, 3, 4, 5].map(at => person.post<ProblemBody>('/v1/data/docs', { title: `${at}` })),
  )
  t.deepEqual(results.map(({ status }) => status).sort(), [201, 201, 201, 403, 403])
  t.is((await person.post<ProblemBody>('/v1/data/docs', [{ title: 'x' }])).body.code, 'entitlement_exceeded')
  const [row] = await list(person, 'docs')
  t.is((await person.delete(`/v1/data/docs/${row?.id}`)).status, 204)
  t.is((await person.post('/v1/data/docs', [{ title: 'x' }, { title: 'y' }])).status, 403)
  t.is((await person.post('/v1/data/docs', { title: 'x' })).status, 201)
})

test('a rule can follow a reference, for rows that exist and for those that are written', async t => {
  const person = await people.person()
  const member = await people.colleague(person, ['tenant.member'])
  const [own, other] = [
    await create(member, 'docs', { title: 'own' }),
    await create(person, 'docs', { title: 'other' }),
  ]
  const mine = await create(member, 'comments', { doc: own.id, text: 'a' })
  const theirs = await create(person, 'comments', { doc: other.id, text: 'b' })
  t.deepEqual(
    (await list(member, 'comments')).map(({ id }) => id),
    [mine.id],
  )
  t.is((await member.get(`/v1/data/comments/${theirs.id}`)).status, 404)
  t.is((await member.post<ProblemBody>('/v1/data/comments', { doc: other.id })).body.code, 'row_action_forbidden')
  t.is(
    (await member.patch<ProblemBody>(`/v1/data/comments/${mine.id}`, { doc: other.id })).body.code,
    'row_action_forbidden',
  )
  t.is((await member.patch(`/v1/data/comments/${mine.id}`, { text: 'c' })).status, 200)
  t.is((await member.delete(`/v1/data/docs/${other.id}`)).status, 403)
  t.is((await member.delete(`/v1/data/docs/${own.id}`)).status, 204)
  t.is((await person.get(`/v1/data/comments/${mine.id}`)).status, 404)
})

test('an API key is limited to its permissions', async t => {
  const person = await people.person()
  await create(person, 'docs', { title: 'x' })
  const made = await person.post('/v1/identity/api-keys', {
    name: 'Reader',
    permissions: ['collections.docs.read'],
  })
  t.is(made.status, 201, JSON.stringify(made.body))
  const secret = Object.values(made.body).find(value => typeof value === 'string' && value.length > 40) as string
  const key = kernel.as(secret)
  t.is((await list(key, 'docs')).length, 1)
  t.is((await key.post<ProblemBody>('/v1/data/docs', { title: 'y' })).body.code, 'forbidden')
  t.is((await key.get<ProblemBody>('/v1/data/comments')).body.code, 'forbidden')
})

test('an owner can write fields that only some roles can', async t => {
  const person = await people.person()
  const doc = await create(person, 'docs', { title: 'x', remarks: 'y' })
  t.is(doc.remarks, 'y')
})

test('the same query returns to each caller the fields that their roles read', async t => {
  const person = await people.person()
  const reviewer = await people.colleague(person, ['tenant.reviewer'])
  const member = await people.colleague(person, ['tenant.member'])
  const { id: label } = await create(person, 'labels', { name: 'a', rating: 3 })
  const { id } = await create(person, 'labeled', { title: 'x', label })
  for (const _ of [1, 2])
    for (const [client, rating] of [
      [reviewer, 3],
      [member, undefined],
      [person, 3],
    ] as const) {
      const one = await client.get<Row>(`/v1/data/labels/${label}`)
      t.is(one.body.rating, rating)
      const expanded = await client.get<{ label: Row }>(`/v1/data/labeled/${id}?expand=label`)
      t.is(expanded.body.label.rating, rating)
      t.deepEqual(
        (await list(client, 'labeled?expand=label')).map(row => (row.label as Row).rating),
        [rating],
      )
      t.is((await client.get(`/v1/data/labels/${label}?fields=rating`)).status, rating === undefined ? 400 : 200)
    }
})

for (const [first, collection] of [
  ['owner', 'notes'],
  ['member', 'letters'],
] as const)
  test(`a row outside a member's rule stays hidden by its ID, whoever reads first (${first})`, async t => {
    const person = await people.person()
    const member = await people.colleague(person, ['tenant.member'])
    const { id } = await create(person, collection, { text: 'x' })
    const owners = [person, 200] as const
    const members = [member, 404] as const
    const order = first === 'owner' ? [owners, members] : [members, owners]
    for (const [client, status] of [...order, ...order])
      t.is((await client.get(`/v1/data/${collection}/${id}`)).status, status)
  })
