import test from 'ava'
import { purgeTrash } from '../../../../modules/collections/services/trash-purge.ts'
import type { Client, Person } from '../../../../testing/index.ts'
import { type Colleague, codeOf, type Listed, type ProblemBody } from '../../../fixtures/people.ts'
import { withPeople } from '../../../fixtures/with-people.ts'
import { servicesOf } from '../services-of.ts'

interface Row {
  id: string
  revision: number
  deletedAt?: string
  [field: string]: unknown
}

const anyone = () => ({ 'tenant.member': true })
const DAY = 86_400_000
const recipe = {
  modules: { identity: {}, comms: {}, billing: {}, collections: {} },
  entitlements: { 'notes.count': { kind: 'gauge' } },
  plans: { free: { name: 'Free', price: 0, entitlements: { 'notes.count': 4 } } },
  roles: { 'tenant.reviewer': { name: 'Reviewer', permissions: ['identity.member.read'] } },
  collections: {
    folders: {
      fields: { name: { type: 'text', required: true } },
      access: { read: anyone(), create: anyone(), delete: anyone() },
      trash: '1d',
    },
    files: {
      fields: {
        name: { type: 'text', required: true, unique: true },
        remarks: { type: 'text', read: ['tenant.reviewer'] },
        secret: { type: 'text', private: true },
        folder: { type: 'reference', to: 'folders', onDelete: 'restrict' },
      },
      access: {
        read: anyone(),
        create: anyone(),
        update: anyone(),
        delete: { 'tenant.member': { createdBy: '$user' } },
      },
      trash: '30d',
      history: 3,
    },
    notes: {
      fields: { text: { type: 'text' }, parent: { type: 'reference', to: 'notes', onDelete: 'cascade' } },
      limit: 'notes.count',
      access: { read: anyone(), create: anyone(), delete: anyone() },
      trash: '30d',
    },
    plain: { fields: { name: { type: 'text' } }, access: { read: anyone(), create: anyone(), delete: anyone() } },
  },
}

const { kernel, people } = withPeople(test, { recipe })

async function create(client: Client, collection: string, body: unknown): Promise<Row> {
  const made = await client.post<Row>(`/v1/data/${collection}`, body)
  if (made.status !== 201) throw new Error(JSON.stringify(made.body))
  return made.body
}
async function deleted(client: Client, collection: string, body: unknown): Promise<Row> {
  const row = await create(client, collection, body)
  if ((await client.delete(`/v1/data/${collection}/${row.id}`)).status !== 204) throw new Error('not deleted')
  return row
}
const trash = async (client: Client, collection: string, query = '') =>
  (await client.get<Listed<Row>>(`/v1/data/${collection}/trash${query}`)).body
const restore = (client: Client, collection: string, id: string, headers: Record<string, string> = {}) =>
  client.post<Row>(`/v1/data/${collection}/${id}/restore`, undefined, { headers })
async function workspace(): Promise<{ owner: Person; member: Colleague; other: Colleague }> {
  const owner = await people.person()
  return {
    owner,
    member: await people.colleague(owner, ['tenant.member']),
    other: await people.colleague(owner, ['tenant.member']),
  }
}

test('lists deleted rows, the last deleted first, and restores them', async t => {
  const { owner, member } = await workspace()
  const first = await deleted(member, 'files', { name: 'first', secret: 's', remarks: undefined })
  const second = await deleted(member, 'files', { name: 'second' })
  await create(member, 'files', { name: 'third' })
  const { data } = await trash(member, 'files')
  t.deepEqual(
    data.map(({ id }) => id),
    [second.id, first.id],
  )
  t.true(Date.parse(data[0]?.deletedAt ?? '') <= Date.now())
  t.like(data[1], { name: 'first', revision: 2, folder: null })
  t.false('secret' in (data[1] ?? {}))
  t.false('remarks' in (data[1] ?? {}))
  t.true('remarks' in ((await trash(owner, 'files')).data[1] ?? {}))
  const restored = await restore(member, 'files', first.id)
  t.is(restored.status, 200)
  t.like(restored.body, { id: first.id, name: 'first', revision: 3 })
  t.false('secret' in restored.body)
  const read = await member.get<Row>(`/v1/data/files/${first.id}`)
  t.deepEqual(read.body, restored.body)
  t.is(read.headers.get('etag'), restored.headers.get('etag'))
  t.deepEqual(
    (await trash(member, 'files')).data.map(({ id }) => id),
    [second.id],
  )
  // Restored once.
  t.is(codeOf(await restore(member, 'files', first.id)), '404 not_found')
  const { rows } = await kernel.kernel.ports.systemDatabase
    .acrossTenants('a test reads the events')
    .query<{ type: string; payload: unknown }>(
      'select type, payload from larder_events where subject = $1 order by id',
      [first.id],
    )
  t.deepEqual(
    rows.map(({ type }) => type),
    ['created', 'deleted', 'updated'].map(kind => `collections.files.${kind}`),
  )
  t.like(rows[2]?.payload, { row: { name: 'first', revision: 3 }, changed: [] })
})

test('pages of the trash follow each other, and foreign cursors are rejected', async t => {
  const { member } = await workspace()
  const ids: string[] = []
  for (let n = 0; n < 5; n++) ids.unshift((await deleted(member, 'folders', { name: `${n}` })).id)
  const found = await kernel.all<Row>(member, '/v1/data/folders/trash?limit=2')
  t.deepEqual(
    found.map(({ id }) => id),
    ids,
  )
  const { body } = await member.get<Listed<Row>>('/v1/data/folders/trash?limit=1')
  t.is(codeOf(await member.get(`/v1/data/files/trash?cursor=${body.nextCursor}`)), '400 invalid_cursor')
  t.is((await member.get('/v1/data/folders/trash?cursor=x')).status, 400)
  t.is((await member.get('/v1/data/folders/trash?limit=0')).status, 422)
  t.is((await member.get('/v1/data/folders/trash?limit=many')).status, 422)
})

test('only rows that the caller may delete are listed and restored', async t => {
  const { owner, member, other } = await workspace()
  const row = await deleted(member, 'files', { name: 'mine' })
  t.deepEqual((await trash(other, 'files')).data, [])
  t.like(await restore(other, 'files', row.id), { status: 403, body: { code: 'row_action_forbidden' } })
  const reviewer = await people.colleague(owner, ['tenant.reviewer'])
  for (const call of [reviewer.get('/v1/data/files/trash'), restore(reviewer, 'files', row.id)])
    t.like(await call, { status: 403, body: { requiredPermission: 'collections.files.delete' } })
  t.is((await kernel.get('/v1/data/files/trash')).status, 401)
  const stranger = await people.person()
  t.deepEqual((await trash(stranger, 'files')).data, [])
  t.is(codeOf(await restore(stranger, 'files', row.id)), '404 not_found')
  t.is(codeOf(await restore(owner, 'files', 'file_unknown')), '404 not_found')
  const living = await create(member, 'files', { name: 'living' })
  t.is(codeOf(await restore(owner, 'files', living.id)), '404 not_found')
  t.is(codeOf(await restore(owner, 'files', row.id, { 'if-match': '"1"' })), '412 precondition_failed')
  t.is((await restore(owner, 'files', row.id, { 'if-match': '"2"' })).status, 200)
})

test('collections without a trash have no routes for it', async t => {
  const { owner } = await workspace()
  const row = await create(owner, 'plain', { name: 'x' })
  t.is((await owner.get('/v1/data/plain/trash')).status, 404)
  t.is((await restore(owner, 'plain', row.id)).status, 404)
})

test('requests that restore a row at the same time restore it once', async t => {
  const { member } = await workspace()
  const { id } = await deleted(member, 'files', { name: 'once' })
  const results = await Promise.all([1, 2, 3, 4].map(() => restore(member, 'files', id)))
  t.deepEqual(results.map(({ status }) => status).sort(), [200, 404, 404, 404])
  t.is((await member.get<Row>(`/v1/data/files/${id}`)).body.revision, 3)
})

test('a row is not restored if its unique value is taken, or beyond the limit of the plan', async t => {
  const { member } = await workspace()
  const { id } = await deleted(member, 'files', { name: 'unique' })
  const taker = await create(member, 'files', { name: 'unique' })
  const { status, body } = await member.post<ProblemBody>(`/v1/data/files/${id}/restore`)
  t.is(status, 409)
  t.like(body, { code: 'value_taken', errors: [{ pointer: '/name', code: 'taken' }] })
  await member.delete(`/v1/data/files/${taker.id}`)
  t.is((await restore(member, 'files', id)).status, 200)
  const note = await deleted(member, 'notes', { text: 'old' })
  for (let n = 0; n < 4; n++) await create(member, 'notes', { text: `${n}` })
  t.is(codeOf(await restore(member, 'notes', note.id)), '403 entitlement_exceeded')
})

test('a row is restored after the rows that it depends on', async t => {
  const { member } = await workspace()
  const parent = await create(member, 'notes', { text: 'parent' })
  const child = await create(member, 'notes', { text: 'child', parent: parent.id })
  await member.delete(`/v1/data/notes/${parent.id}`)
  t.is((await trash(member, 'notes')).data.length, 2)
  const { status, body } = await member.post<ProblemBody>(`/v1/data/notes/${child.id}/restore`)
  t.is(status, 409)
  t.like(body, { code: 'reference_in_trash', errors: [{ pointer: '/parent', code: 'in_trash' }] })
  t.is((await restore(member, 'notes', parent.id)).status, 200)
  t.like(await restore(member, 'notes', child.id), { status: 200, body: { parent: parent.id } })
})

// Purges every workspace, so it runs before the other tests.
test.serial('deletes rows when their time in the trash is over, after the rows that depend on them', async t => {
  const { member } = await workspace()
  const { collectionMap: collections } = servicesOf(kernel)
  const { systemDatabase } = kernel.kernel.ports
  const purge = (days: number) =>
    purgeTrash(
      { systemDatabase, clock: { now: () => Date.now() + days * DAY } } as Parameters<typeof purgeTrash>[0],
      collections,
      new AbortController().signal,
    )
  const folder = await create(member, 'folders', { name: 'folder' })
  const file = await create(member, 'files', { name: 'file', folder: folder.id })
  const kept = await create(member, 'files', { name: 'kept' })
  const parent = await create(member, 'notes', { text: 'parent' })
  await create(member, 'notes', { text: 'child', parent: parent.id })
  await member.patch(`/v1/data/files/${file.id}`, { name: 'renamed' })
  await member.delete(`/v1/data/files/${file.id}`)
  await member.delete(`/v1/data/folders/${folder.id}`)
  await member.delete(`/v1/data/notes/${parent.id}`)
  const rowsOf = async (table: string) => {
    const sql = `select * from ${table} where tenant_id = $1`
    return (await systemDatabase.acrossTenants('a test counts rows').query(sql, [member.tenantId])).rows.length
  }
  await purge(2)
  // The file can be restored for 30 days and refers to the folder.
  t.is(await rowsOf('data_folders'), 1)
  t.is(await rowsOf('data_files__history'), 2)
  await purge(31)
  t.deepEqual(
    await Promise.all(['data_folders', 'data_files', 'data_files__history', 'data_notes'].map(rowsOf)),
    [0, 1, 0, 0],
  )
  t.is((await member.get(`/v1/data/files/${kept.id}`)).status, 200)
  t.is((await restore(member, 'files', file.id)).status, 404)
})
