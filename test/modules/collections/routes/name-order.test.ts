/** The order of names in lists, their cursors and ranges. */
import test from 'ava'
import { listStatement, planList } from '../../../../modules/collections/domain/queries/list-query.ts'
import { withPeople } from '../../../fixtures/with-people.ts'
import { servicesOf } from '../services-of.ts'

const SORTED = ['10', '2', 'Ägir', 'anna', 'Anna', 'de Vries', 'Émile', 'Straße', 'Zoe', 'Zoé', '张伟']
const PATH = '/v1/data/people'

interface Row {
  readonly name: string
}
interface Page {
  readonly data: readonly Row[]
  readonly nextCursor: string | null
}

const { kernel, owner } = withPeople(
  test,
  {
    recipe: {
      modules: { identity: {}, comms: {}, collections: {} },
      collections: {
        people: {
          fields: {
            name: { type: 'text', required: true, index: true },
            nick: { type: 'text', unique: true },
          },
        },
      },
    },
  },
  { owner: 'owner' },
  async () => {
    for (const name of ['Zoe', 'anna', 'de Vries', 'Ägir', 'Émile', '10', '张伟', 'Straße', 'Anna', '2', 'Zoé'])
      await owner.post(PATH, { name, nick: name })
  },
)

const namesOf = (rows: readonly Row[]) => rows.map(({ name }) => name)

for (const field of ['name', 'nick']) {
  test(`pages sorted by ${field} follow the order of names in both directions`, async t => {
    t.deepEqual(namesOf(await kernel.all<Row>(owner, `${PATH}?sort=${field}&limit=3`)), SORTED)
    t.deepEqual(namesOf(await kernel.all<Row>(owner, `${PATH}?sort=-${field}&limit=3`)), SORTED.toReversed())
  })

  test(`ranges of ${field} follow the order of names`, async t => {
    const found = async (filters: string) =>
      namesOf((await owner.get<Page>(`${PATH}?sort=${field}&${filters}`)).body.data)
    const value = encodeURIComponent
    t.deepEqual(await found(`filter[${field}][gt]=${value('Ägir')}&filter[${field}][lte]=${value('Émile')}`), [
      'anna',
      'Anna',
      'de Vries',
      'Émile',
    ])
    t.deepEqual(await found(`filter[${field}][lt]=a`), ['10', '2'])
  })

  test(`an index serves the order of ${field}, its pages and its ranges`, async t => {
    const services = servicesOf(kernel)
    const view = services.systemView(owner.tenantId)
    const people = services.collectionMap.get('people')
    if (!people) throw new Error('expected a collection')
    const first = await services.reader.list(view, people, { sort: field, limit: 2 })
    await kernel.kernel.ports.database.tenant(owner.tenantId).transaction(async unit => {
      // The table is small.
      await unit.query('set local enable_seqscan = off')
      for (const [query, cursor] of [
        [{ sort: field }, undefined],
        [{ sort: field }, first.nextCursor ?? ''],
        [{ sort: `-${field}` }, undefined],
        [{ sort: field, [`filter[${field}][gte]`]: 'b' }, undefined],
      ] as const) {
        const { text, values } = listStatement(view, planList(view, people, query), { limit: 2, cursor })
        const { rows } = await unit.query<{ 'QUERY PLAN': string }>(`explain ${text}`, values)
        const plan = rows.map(row => row['QUERY PLAN']).join('\n')
        t.regex(plan, /Index Scan (Backward )?using data_people_\w+_idx/, plan)
        t.notRegex(plan, /\bSort +\(cost/, plan)
      }
    })
  })
}

test('an index finds a name', async t => {
  const services = servicesOf(kernel)
  const view = services.systemView(owner.tenantId)
  const people = services.collectionMap.get('people')
  if (!people) throw new Error('expected a collection')
  const query = { 'filter[name]': 'Anna', sort: 'name' }
  const { text, values } = listStatement(view, planList(view, people, query), { limit: 2, cursor: undefined })
  await kernel.kernel.ports.database.tenant(owner.tenantId).transaction(async unit => {
    await unit.query('set local enable_seqscan = off')
    const { rows } = await unit.query<{ 'QUERY PLAN': string }>(`explain ${text}`, values)
    t.regex(rows.map(row => row['QUERY PLAN']).join('\n'), /Index Cond: .*name/)
  })
  t.deepEqual(namesOf((await owner.get<Page>(`${PATH}?filter[name]=anna`)).body.data), ['anna'])
})

test('rejects a cursor of the order by code points', async t => {
  const { body } = await owner.get<Page>(`${PATH}?sort=name&limit=2`)
  const list = body.nextCursor?.slice(0, 4) ?? ''
  const former = Buffer.from(JSON.stringify(['name', 'Anna', 'person_1'])).toString('base64url')
  const { status, body: problem } = await owner.get<{ code: string }>(
    `${PATH}?sort=name&limit=2&cursor=${list}${former}`,
  )
  t.is(status, 400)
  t.is(problem.code, 'invalid_cursor')
})
