/** Defaults from the time, the caller and other values, and times that changes set. */
import test from 'ava'
import type { Person } from '../../../../testing/index.ts'
import { withPeople } from '../../../fixtures/with-people.ts'
import { ended, type Import, send } from '../imports/fixtures.ts'

interface Visit {
  readonly id: string
  readonly createdAt: string
  readonly updatedAt: string
  readonly revision: number
  readonly [field: string]: unknown
}

const members = () => ({ 'tenant.member': true })
const access = () => ({ read: members(), create: members(), update: members(), delete: members() })
const recipe = {
  modules: { identity: {}, billing: {}, comms: {}, collections: {}, automations: {} },
  plans: { free: { name: 'Free', price: 0 } },
  automations: {
    'plan-visits': {
      on: 'collections.visits.created',
      when: { 'row.title': 'Chair' },
      steps: [{ 'collections.create': { collection: 'visits', values: { title: 'Table' } } }],
    },
  },
  collections: {
    visits: {
      fields: {
        title: { type: 'text', required: true },
        key: { type: 'text', unique: true },
        at: { type: 'datetime', required: true, default: '$now' },
        on: { type: 'date', default: '$today' },
        owner: { type: 'member', default: '$member' },
        author: { type: 'text', default: '$user' },
        short: { type: 'text', required: true, default: { expression: "lower(split(title, ' ', 1))" } },
        due: { type: 'date', default: { expression: 'addMonths(on, 1) + 2' } },
        ends: { type: 'datetime', default: { expression: 'at + hours(2)' } },
        price: { type: 'money', currency: 'EUR', default: { expression: 'length(title) * 100' } },
        changed: { type: 'datetime', onUpdate: '$now' },
        changedOn: { type: 'date', onUpdate: '$now', readOnly: true },
        slug: { type: 'slug', from: 'title' },
        late: { type: 'computed', expression: 'due + 7', of: 'date' },
        minutesLeft: { type: 'computed', expression: 'minutes(ends - at)', of: 'integer' },
        stars: { type: 'integer', default: 3 },
        rank: { type: 'integer', default: 1, write: ['tenant.owner'] },
        reminder: { type: 'computed', expression: 'ends - minutes(30)', of: 'datetime' },
      },
      access: access(),
      trash: '30d',
      history: 5,
    },
  },
}
const { kernel, people } = withPeople(test, { recipe })

const url = '/v1/data/visits'
const today = () => new Date().toISOString().slice(0, 10)
const memberIdOf = async (person: Person): Promise<string | undefined> =>
  (await person.get<{ data: { id: string }[] }>('/v1/identity/members')).body.data[0]?.id
const create = async (person: Pick<Person, 'post'>, values: object = {}): Promise<Visit> => {
  const { status, body } = await person.post<Visit>(url, { title: 'Oak table', ...values })
  if (status !== 201) throw new Error(JSON.stringify(body))
  return body
}
const change = async (person: Person, { id }: Visit, values: object): Promise<Visit> =>
  (await person.patch<Visit>(`${url}/${id}`, values)).body

test('a new row gets the time, the day, the member and the user', async t => {
  const ada = await people.person()
  const row = await create(ada)
  t.is(row.at, row.createdAt)
  t.is(row.on, today())
  t.is(row.owner, await memberIdOf(ada))
  t.is(row.author, ada.userId)
  t.deepEqual((await ada.get<Visit>(`${url}/${row.id}`)).body, row)
})

test('a value that is given replaces the default, and null removes it', async t => {
  const ada = await people.person()
  const row = await create(ada, { at: '2026-01-31T10:00:00Z', on: '2024-01-31', owner: null, author: 'x', short: 'y' })
  t.like(row, { at: '2026-01-31T10:00:00.000Z', on: '2024-01-31', owner: null, author: 'x', short: 'y' })
  const { status } = await ada.post(url, { title: 'A', at: null })
  t.is(status, 422)
})

test('an expression computes a default from given values and from other defaults', async t => {
  const ada = await people.person()
  const row = await create(ada, { at: '2026-01-31T10:00:00Z', on: '2024-01-31' })
  t.like(row, {
    short: 'oak',
    due: '2024-03-02',
    ends: '2026-01-31T12:00:00.000Z',
    price: 900,
    late: '2024-03-09',
    minutesLeft: 120,
    reminder: '2026-01-31T11:30:00.000Z',
  })
  t.like((await ada.get<Visit>(`${url}/${row.id}`)).body, { late: '2024-03-09', reminder: '2026-01-31T11:30:00.000Z' })
  t.like(await change(ada, row, { title: 'Other' }), { short: 'oak', price: 900 })
})

test('a required default without a value is reported as missing', async t => {
  const ada = await people.person()
  const { status, body } = await ada.post<{ errors: { pointer: string; code: string }[] }>(url, {
    title: ' x',
    on: null,
  })
  t.is(status, 422)
  t.deepEqual(
    body.errors.map(({ pointer, code }) => [pointer, code]),
    [['/short', 'required']],
  )
})

test('lists, batches, upserts and imports give the same defaults', async t => {
  const ada = await people.person()
  const list = await ada.post<{ data: Visit[] }>(url, [{ title: 'A' }, { title: 'B', author: 'x' }])
  t.like(list.body.data[0], {
    on: today(),
    owner: await memberIdOf(ada),
    author: ada.userId,
    short: 'a',
    late: list.body.data[0]?.late,
  })
  t.like(list.body.data[1], { author: 'x', short: 'b' })
  const operations = [
    { action: 'create', data: { title: 'C' } },
    { action: 'upsert', by: 'key', data: { title: 'D', key: 'd' } },
  ]
  const batch = await ada.post<{ data: Visit[] }>(`${url}/batch`, { operations })
  for (const row of batch.body.data) t.like(row, { on: today(), owner: await memberIdOf(ada) })
  const sent = await send(
    { url: kernel.url, token: ada.token, tenantId: ada.tenantId },
    'visits/imports?by=key',
    'title,key,on\nE,e,\nF,f,2024-02-29\nD two,d,\n',
  )
  const done: Import = await ended(ada, 'visits', sent.body.id)
  t.like(done, { state: 'succeeded', rows: { created: 2, updated: 1 } })
  const { data } = (await ada.get<{ data: Visit[] }>(`${url}?filter[key][exists]=true&sort=key`)).body
  t.like(data[0], { key: 'd', title: 'D two', short: 'd' })
  t.like(data[1], { key: 'e', on: today(), owner: await memberIdOf(ada), short: 'e' })
  t.like(data[2], { key: 'f', on: '2024-02-29', due: '2024-03-31' })
})

test('each change sets the times that onUpdate names, unless it gives them', async t => {
  const ada = await people.person()
  const row = await create(ada)
  t.like(row, { changed: null, changedOn: null })
  const changed = await change(ada, row, { title: 'Ash table' })
  t.is(changed.changed, changed.updatedAt)
  t.is(changed.changedOn, today())
  const same = await change(ada, row, { title: 'Ash table' })
  t.like(same, { revision: 2, changed: changed.changed })
  t.like(await change(ada, row, { changed: '2026-01-01T00:00:00Z' }), { changed: '2026-01-01T00:00:00.000Z' })
  t.is((await ada.patch(`${url}/${row.id}`, { changedOn: '2026-01-01' })).status, 422)
})

test('the event and the history of a change have the time that it sets, and a restored version gets its own', async t => {
  const ada = await people.person()
  const row = await create(ada)
  const changed = await change(ada, row, { title: 'Ash table' })
  const { rows } = await kernel.kernel.ports.systemDatabase
    .acrossTenants('a test reads the events')
    .query<{ payload: { changed: string[]; row: Visit } }>(
      `select payload from larder_events where subject = $1 and type = 'collections.visits.updated'`,
      [row.id],
    )
  t.deepEqual(rows[0]?.payload.changed, ['title', 'changed', 'changedOn'])
  t.is(rows[0]?.payload.row.changed, changed.changed)
  const restored = (await ada.post<Visit>(`${url}/${row.id}/history/1/restore`)).body
  t.is(restored.title, 'Oak table')
  t.is(restored.changed, restored.updatedAt)
})

test('a row comes out of the trash with its values', async t => {
  const ada = await people.person()
  const row = await create(ada, { on: '2024-01-31' })
  await ada.delete(`${url}/${row.id}`)
  t.like((await ada.post<Visit>(`${url}/${row.id}/restore`)).body, { on: '2024-01-31', changed: null, at: row.at })
})

test('an automation creates rows with the time and the day, but without a member', async t => {
  const ada = await people.person()
  await create(ada, { title: 'Chair' })
  await kernel.settled()
  const { data } = (await ada.get<{ data: Visit[] }>(`${url}?filter[title]=Table`)).body
  t.is(data.length, 1)
  t.like(data[0], { on: today(), owner: null, author: null, short: 'table' })
})

test('lists filter and sort by a computed date', async t => {
  const ada = await people.person()
  await create(ada, { on: '2024-01-31' })
  await create(ada, { on: '2025-01-31' })
  const found = async (query: string) =>
    (await ada.get<{ data: Visit[] }>(`${url}?${query}`)).body.data.map(row => row.on)
  t.deepEqual(await found('filter[late][gt]=2024-12-31'), ['2025-01-31'])
  t.deepEqual(await found('sort=-late'), ['2025-01-31', '2024-01-31'])
  t.deepEqual(await found('filter[reminder][lt]=2000-01-01T00:00:00Z'), [])
})

test('fields with a default are optional in the API document', async t => {
  const ada = await people.person()
  const { body } = await ada.get<{
    components: { schemas: Record<string, { required?: string[]; properties: Record<string, unknown> }> }
    paths: Record<
      string,
      Record<string, { 'x-larder-collection'?: { schemas: { create: string }; fields: Record<string, object> } }>
    >
  }>('/v1/platform/openapi.json')
  const { schemas, fields = {} } = body.paths[url]?.get?.['x-larder-collection'] ?? {}
  const created = body.components.schemas[schemas?.create ?? '']
  t.deepEqual(created?.required, ['title'])
  t.false('changedOn' in (created?.properties ?? {}))
  t.like(fields.at, { defaultFrom: '$now' })
  t.like(fields.short, { defaultFrom: 'expression' })
  t.like(fields.changed, { onUpdate: '$now' })
  t.like(fields.stars, { default: 3 })
  // A form would send it back for people who may not write the field.
  t.false('default' in (fields.rank ?? {}))
})
