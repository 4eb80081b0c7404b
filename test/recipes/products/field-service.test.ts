/** Field service: visits that can't overlap, whatever writes them. */
import test from 'ava'
import type { Client } from '../../../testing/index.ts'
import { change, create, created, mailTo, memberOf, product, type Row, rowsOf } from './fixtures.ts'

const field = product(test, 'field-service')
const day = (date: string, hour: number) => `2031-03-${date}T${String(hour).padStart(2, '0')}:00:00Z`

async function company() {
  const owner = await field.people.person()
  const [dispatcher, technician] = await Promise.all([
    field.people.colleague(owner, ['tenant.dispatcher']),
    field.people.colleague(owner, ['tenant.technician']),
  ])
  const site = await created(dispatcher, 'sites', { name: 'Mill', address: 'Mill Lane 1' })
  return { owner, dispatcher, technician, member: await memberOf(technician), site: site.id }
}
const visit = ({ member, site }: { member: string; site: string }, from: string, to: string, more: object = {}) => ({
  site,
  contact: 'mill@customer.test',
  technician: member,
  startsAt: from,
  endsAt: to,
  ...more,
})

test('a technician has one visit at a time, and the next one when it ends', async t => {
  const { dispatcher, ...at } = await company()
  const first = await created(dispatcher, 'visits', visit(at, day('03', 8), day('03', 10)))
  t.is(first.number, 'V-00001')
  const overlapping = await create(dispatcher, 'visits', visit(at, day('03', 9), day('03', 11)))
  t.is(overlapping.status, 409)
  t.like(overlapping.body, { code: 'period_taken', rows: [first.id] })
  t.is((await create(dispatcher, 'visits', visit(at, day('03', 10), day('03', 12)))).status, 201)
  t.is((await create(dispatcher, 'visits', visit(at, day('03', 8), day('03', 9), { technician: null }))).status, 201)
})

test('of many concurrent visits of one technician, one is planned', async t => {
  const { dispatcher, ...at } = await company()
  const all = await Promise.all(
    Array.from({ length: 12 }, (_, minute) =>
      create(dispatcher, 'visits', visit(at, `2031-03-20T08:${String(minute).padStart(2, '0')}:00Z`, day('20', 9))),
    ),
  )
  t.deepEqual(all.map(({ status }) => status).sort(), [201, ...Array.from({ length: 11 }, () => 409)])
})

test('an edited list, a restored row and an import obey the periods, too', async t => {
  const { dispatcher, ...at } = await company()
  const first = await created(dispatcher, 'visits', visit(at, day('05', 8), day('05', 10)))
  const second = await created(dispatcher, 'visits', visit(at, day('05', 10), day('05', 12)))
  const edited = await dispatcher.post(
    '/v1/data/visits/batch' as never,
    {
      operations: [{ action: 'update', id: second.id, data: { startsAt: day('05', 9) } }],
    } as never,
  )
  t.is(edited.status, 409)
  t.is((await dispatcher.delete(`/v1/data/visits/${first.id}` as never)).status, 204)
  await created(dispatcher, 'visits', visit(at, day('05', 8), day('05', 9)))
  t.is((await dispatcher.post(`/v1/data/visits/${first.id}/restore` as never, {} as never)).status, 409)
  const imported = await importOf(dispatcher, [
    visit(at, day('06', 8), day('06', 9)),
    visit(at, day('05', 11), day('05', 13)),
  ])
  t.is(imported.state, 'failed')
  t.is((await rowsOf(dispatcher, 'visits', '?filter[startsAt][gte]=2031-03-06T00:00:00Z')).length, 0)
})

test('a technician reads their own visits and ends them, and the contact gets the report', async t => {
  const { dispatcher, technician, owner, ...at } = await company()
  const contact = `${owner.userId.toLowerCase()}@customer.test`
  const own = await created(dispatcher, 'visits', visit(at, day('10', 8), day('10', 9), { contact }))
  await created(dispatcher, 'visits', visit(at, day('10', 8), day('10', 9), { technician: null }))
  t.deepEqual(
    (await rowsOf(technician, 'visits')).map(({ id }) => id),
    [own.id],
  )
  t.is((await change(technician, 'visits', own.id, { status: 'done' })).status, 409)
  for (const status of ['started', 'done'])
    t.is((await change(technician, 'visits', own.id, { status, report: 'Repaired' })).status, 200)
  t.deepEqual(await mailTo(field, contact), [`Report of visit ${own.number}`, `Visit ${own.number} is planned`])
})

async function importOf(client: Client, rows: readonly object[]): Promise<{ readonly state: string }> {
  const body = rows.map(row => JSON.stringify(row)).join('\n')
  const started = await client.call<Row>('POST', '/v1/data/visits/imports', body, {
    headers: { 'content-type': 'application/x-ndjson' },
  })
  await field.kernel.settled()
  return (await client.get<{ state: string }>(`/v1/data/visits/imports/${started.body.id}`)).body
}
