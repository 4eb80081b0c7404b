import { randomInt } from 'node:crypto'
import test from 'ava'
import type { Registrations } from '../../../../kernel/index.ts'
import type { Person } from '../../../../testing/index.ts'
import { codeOf, expectStatus, type Listed, problem } from '../../../fixtures/people.ts'
import { withPeople } from '../../../fixtures/with-people.ts'

interface Row {
  readonly id: string
  readonly [field: string]: unknown
}

const recipe = {
  modules: { identity: {}, collections: {} },
  collections: {
    tags: { fields: { name: { type: 'text' }, related: { type: 'reference', to: 'tags', many: true } } },
    owners: { fields: { name: { type: 'text' } }, access: { read: { anyone: true } } },
    tasks: {
      fields: {
        title: { type: 'text', unique: false },
        notes: { type: 'text' },
        assignee: { type: 'member' },
        tags: { type: 'reference', to: 'tags', many: true },
        owner: { type: 'reference', to: 'owners', required: true, onDelete: 'cascade' },
      },
      unique: [['title', 'notes']],
      history: 5,
    },
  },
}

let ownerRow: Row

const { kernel, people, owner } = withPeople(test, { recipe }, { owner: { name: 'Ada' } }, async () => {
  ownerRow = expectStatus(201, await owner.post<Row>('/v1/data/owners', { name: 'First' }))
})

const memberIdOf = async (person: Person): Promise<string> => {
  const { body } = await person.get('/v1/identity/members')
  return body.data.find(({ userId }) => userId === person.userId)?.id ?? ''
}

test('an expansion of many rows contains the first 100, and the first 10 within another expansion', async t => {
  const { body: made } = await owner.post<{ data: Row[] }>(
    '/v1/data/tags',
    Array.from({ length: 130 }, (_, n) => ({ name: `Tag ${n}` })),
  )
  const ids = made.data.map(({ id }) => id)
  await owner.patch(`/v1/data/tags/${ids[0]}`, { related: ids.slice(0, 30) })
  const { body: task } = await owner.post<Row>('/v1/data/tasks', { title: 'Many', tags: ids, owner: ownerRow.id })
  t.is((task.tags as string[]).length, 130)
  const { body } = await owner.get<Row>(`/v1/data/tasks/${task.id}?expand=tags,tags.related`)
  const tags = body.tags as Row[]
  t.deepEqual(
    tags.map(({ id }) => id),
    ids.slice(0, 100),
  )
  t.like(tags[0]?.related, { length: 10 })
  const wide = await owner.get('/v1/data/tasks?limit=200&expand=tags,tags.related')
  t.is(codeOf(wide), '400 malformed')
  t.like(problem(wide), {
    errors: [{ pointer: 'query/expand', code: 'too_many', detail: 'allows a limit of at most 90 rows' }],
  })
  t.is((await owner.get('/v1/data/tasks?limit=90&expand=tags,tags.related')).status, 200)
  const stream = { headers: { accept: 'text/csv' } }
  t.is((await owner.get('/v1/data/tasks?expand=tags,tags.related', stream)).status, 200)
})

test('rejects expansions of more than 3 levels, and more than 20 of them', async t => {
  const deep = (levels: number) => Array.from({ length: levels }, () => 'related').join('.')
  t.is((await owner.get(`/v1/data/tags?limit=1&expand=${deep(3)}`)).status, 200)
  const tooDeep = await owner.get(`/v1/data/tags?limit=1&expand=${deep(4)}`)
  t.like(problem(tooDeep), { errors: [{ pointer: 'query/expand', code: 'too_deep' }] })
  const many = (count: number) => Array.from({ length: count }, () => 'related').join(',')
  t.is((await owner.get(`/v1/data/tags?limit=1&expand=${many(20)}`)).status, 200)
  const tooMany = await owner.get(`/v1/data/tags?limit=1&expand=${many(21)}`)
  t.like(problem(tooMany), { errors: [{ pointer: 'query/expand', code: 'too_many' }] })
})

test('a member field accepts members of the workspace only', async t => {
  const stranger = await people.person()
  const foreign = await memberIdOf(stranger)
  const task = { title: 'Task', owner: ownerRow.id }
  const refused = await owner.post('/v1/data/tasks', { ...task, assignee: foreign })
  t.is(codeOf(refused), '422 validation_failed')
  t.like(problem(refused), { errors: [{ pointer: '/assignee', code: 'not_found' }] })
  const list = await owner.post('/v1/data/tasks', [task, { ...task, title: 'Other', assignee: foreign }])
  t.like(problem(list), { errors: [{ pointer: '/1/assignee', code: 'not_found' }] })
  const colleague = await people.colleague(owner, ['tenant.member'])
  const { body } = await owner.get('/v1/identity/members')
  const id = body.data.find(({ userId }) => userId === colleague.userId)?.id
  const made = expectStatus(201, await owner.post<Row>('/v1/data/tasks', { ...task, assignee: id }))
  t.is(codeOf(await owner.patch(`/v1/data/tasks/${made.id}`, { assignee: foreign })), '422 validation_failed')
  expectStatus(204, await owner.delete(`/v1/identity/members/${id}`))
  t.is((await owner.patch(`/v1/data/tasks/${made.id}`, { title: 'Renamed', assignee: id })).status, 200)
})

test('a public request names a workspace by its slug', async t => {
  const { body } = await owner.get(`/v1/identity/tenants/${owner.tenantId}`)
  const byQuery = await kernel.get<Listed<Row>>(`/v1/data/owners?workspace=${body.slug}`)
  t.true(byQuery.body.data.some(({ id }) => id === ownerRow.id))
  const byHeader = await kernel.get<Row>(`/v1/data/owners/${ownerRow.id}`, { headers: { 'x-tenant-id': body.slug } })
  t.is(byHeader.status, 200)
  t.is(codeOf(await kernel.get('/v1/data/owners?workspace=nobody')), '404 not_found')
})

test('values of a unique key that are too long together are rejected with their fields', async t => {
  // Ideographs have three bytes, don't compress and stay as they are in NFC.
  const long = () => Array.from({ length: 500 }, () => String.fromCodePoint(0x4e00 + randomInt(20_000))).join('')
  const { status, body } = await owner.post<ReturnType<typeof problem>>('/v1/data/tasks', {
    title: long(),
    notes: long(),
    owner: ownerRow.id,
  })
  t.is(status, 422, JSON.stringify(body))
  t.deepEqual(
    body.errors?.map(({ pointer, code }) => [pointer, code]),
    [
      ['/title', 'too_long'],
      ['/notes', 'too_long'],
    ],
  )
})

test('a version whose required reference is gone can not be restored', async t => {
  const { body: gone } = await owner.post<Row>('/v1/data/owners', { name: 'Gone' })
  const { body: made } = await owner.post<Row>('/v1/data/tasks', { title: 'Moved', owner: gone.id })
  await owner.patch(`/v1/data/tasks/${made.id}`, { owner: ownerRow.id })
  await owner.delete(`/v1/data/owners/${gone.id}`)
  const restored = await owner.post(`/v1/data/tasks/${made.id}/history/1/restore`)
  t.is(codeOf(restored), '422 validation_failed')
  t.like(problem(restored), { errors: [{ pointer: '/owner', code: 'not_found' }] })
})

test('a list with one value may contain a comma in the filter of a page', async t => {
  const operator = await people.operator()
  const names = ['Doe, Jane', 'Doe']
  for (const name of names) expectStatus(201, await operator.post('/v1/data/owners', { name }))
  const [pageData] = kernel.kernel.ports.registry.collect<Registrations['pageData']>('pageData')
  const query = { collection: 'owners', filter: { name: { in: ['Doe, Jane'] } } }
  const found = (await pageData?.value.load(query, {
    params: {},
    search: '',
    caller: undefined,
  } as never)) as Listed<Row>
  t.deepEqual(
    found.data.map(({ name }) => name),
    ['Doe, Jane'],
  )
})
