/** Searches and cursors of a workspace with ten thousand rows, beside another workspace. */
import test from 'ava'
import pg from 'pg'
import { listStatement, planList } from '../../../../modules/collections/domain/queries/list-query.ts'
import type { Person } from '../../../../testing/index.ts'
import { waitFor } from '../../../fixtures/wait.ts'
import { withPeople } from '../../../fixtures/with-people.ts'
import { servicesOf } from '../services-of.ts'

const ROWS = 10_000
const PATH = '/v1/data/notes'

let database: pg.Client

interface Note {
  readonly id: string
  readonly title: string
  readonly price: number | null
}
interface Page {
  readonly data: readonly Note[]
  readonly nextCursor: string | null
  readonly total?: number
}

const { kernel, owner, stranger, member } = withPeople(
  test,
  {
    recipe: {
      modules: { identity: {}, comms: {}, collections: {} },
      collections: {
        notes: {
          fields: {
            title: { type: 'text', required: true },
            price: { type: 'integer', index: true },
            weight: { type: 'number', index: true },
            published: { type: 'boolean', default: false },
          },
          search: ['title'],
          access: { read: { 'tenant.member': { published: true } } },
        },
        // Names that the function of a search has.
        boats: {
          fields: {
            name: { type: 'text' },
            ...Object.fromEntries(
              ['owner', 'query', 'before', 'newest', 'rank', 'matches', 'latest'].map(name => [name, { type: 'text' }]),
            ),
          },
          search: ['name'],
        },
      },
    },
  },
  { owner: 'owner', stranger: 'owner', member: 'owner' },
  async () => {
    const invited = await owner.post<{ link: string }>('/v1/identity/members/invite', {
      email: member.email,
      roles: ['tenant.member'],
      sendEmail: false,
    })
    await member.post('/v1/identity/invitations/accept', {
      token: new URL(invited.body.link).searchParams.get('token'),
    })
    database = new pg.Client(kernel.databaseUrl)
    database.on('error', () => {})
    await database.connect()
    // Every row has `common`, every tenth `some`, ten rows `rare`. Every hundredth is published, and every third has no price.
    await database.query(
      `insert into data_notes (tenant_id, id, title, price, weight, published)
   select $1, 'note_' || lpad(i::text, 8, '0'),
     'common ' || case when i % 10 = 0 then 'some ' else '' end || case when i % 1000 = 0 then 'rare' else '' end,
     case when i % 3 > 0 then i end, i / 7.0, i % 100 = 0
   from generate_series(1, ${ROWS}) i`,
      [owner.tenantId],
    )
    await database.query(
      `insert into data_notes (tenant_id, id, title, price) values ($1, 'note_foreign', 'common some rare', 1)`,
      [stranger.tenantId],
    )
    await database.query('analyze data_notes')
  },
)
test.after.always(() => database?.end())

const list = async (person: Pick<Person, 'get'>, query: string): Promise<Page> => {
  const { status, body } = await person.get<Page>(`${PATH}?${query}`)
  if (status !== 200) throw new Error(`${query} returned ${status}: ${JSON.stringify(body)}`)
  return body
}

const listAll = (person: Pick<Person, 'get'>, query: string): Promise<Note[]> => kernel.all(person, `${PATH}?${query}`)

test('a search reads the index, and no other workspace', async t => {
  const scans = async () => {
    const { rows } = await database.query<{ scans: number }>(
      `select idx_scan::int as scans from pg_stat_user_indexes s join pg_index i using (indexrelid)
       where s.relname = 'data_notes' and pg_get_indexdef(indexrelid) like '% gin %'`,
    )
    return rows[0]?.scans ?? 0
  }
  const before = await scans()
  const { data } = await list(owner, 'q=rare&limit=50')
  t.is(data.length, 10)
  t.false(data.some(({ id }) => id === 'note_foreign'))
  t.deepEqual(
    (await list(stranger, 'q=rare')).data.map(({ id }) => id),
    ['note_foreign'],
  )
  // PostgreSQL reports statistics with a delay.
  await waitFor(async () => (await scans()) > before)
})

test('the function of a search returns nothing without a tenant', async t => {
  await database.query('begin')
  const { rows: policies } = await database.query(
    "select roles[1] as role from pg_policies where tablename = 'data_notes' and policyname = 'tenant'",
  )
  await database.query(`set local role ${policies[0]?.role}`)
  const { rows } = await database.query(`select id from data_notes_search(to_tsquery('simple', 'rare'), null, 100)`)
  await database.query('rollback')
  t.deepEqual(rows, [])
})

test('a search for a word in every row returns its newest rows', async t => {
  const { data, nextCursor } = await list(owner, 'q=common&limit=20')
  t.is(data.length, 20)
  t.is(data[0]?.id, 'note_00010000')
  t.truthy(nextCursor)
})

test('a search finds rows that the caller may read behind many others', async t => {
  const own = member.with({ 'x-tenant-id': owner.tenantId })
  const rows = await listAll(own, 'q=common&limit=50')
  t.is(rows.length, ROWS / 100)
  t.is(new Set(rows.map(({ id }) => id)).size, rows.length)
})

test('a search sorted by creation returns all matches, newest first', async t => {
  const rows = await listAll(owner, 'q=some&sort=-createdAt&limit=100')
  t.is(rows.length, ROWS / 10)
  t.deepEqual(
    rows.map(({ id }) => id),
    rows
      .map(({ id }) => id)
      .toSorted()
      .reverse(),
  )
})

test('a search sorts up to 10,000 matches by other fields', async t => {
  const { data } = await list(owner, 'q=some&sort=price&limit=2')
  t.deepEqual(
    data.map(({ price }) => price),
    [10, 20],
  )
  await database.query(`insert into data_notes (tenant_id, id, title) values ($1, 'note_0', 'common')`, [
    owner.tenantId,
  ])
  t.teardown(() => database.query(`delete from data_notes where id = 'note_0'`))
  const refused = await owner.get<{ errors: { code: string }[] }>(`${PATH}?q=common&sort=price`)
  t.is(refused.status, 400)
  t.is(refused.body.errors[0]?.code, 'too_many_matches')
})

test('the total of a search counts the rows that the caller may read', async t => {
  t.is((await list(owner, 'q=some&include=total&limit=1')).total, ROWS / 10)
  const own = member.with({ 'x-tenant-id': owner.tenantId })
  t.is((await list(own, 'q=some&include=total&limit=1')).total, ROWS / 100)
})

test('searches of operators, control characters and long texts are answered', async t => {
  for (const q of ['"', '- - or "" <->', '!!!', ':*', '\\', "'", 'a'.repeat(500)])
    t.is((await owner.get(`${PATH}?q=${encodeURIComponent(q)}`)).status, 200, q)
  t.is((await owner.get(`${PATH}?q=%00`)).status, 422)
  t.is((await owner.get(`${PATH}?q=${'x'.repeat(2000)}`)).status, 422)
  t.is((await owner.get(`${PATH}?q=${'x'.repeat(64 * 1024)}`)).status, 431)
})

for (const sort of ['price', '-price', 'weight', '-weight'])
  test(`pages sorted by ${sort} contain every row once, and read the index of the field`, async t => {
    const rows = await listAll(owner, `sort=${sort}&limit=100&fields=id,price&filter[published]=true`)
    t.is(rows.length, ROWS / 100)
    t.is(new Set(rows.map(({ id }) => id)).size, rows.length)
    const services = servicesOf(kernel)
    const view = services.systemView(owner.tenantId)
    const notes = services.collectionMap.get('notes')
    if (!notes) throw new Error('expected a collection')
    const first = await services.reader.list(view, notes, { sort, limit: 100 })
    // Among the values, and among the rows without one.
    const valueless = { 'filter[price][exists]': 'false' }
    const empty = await services.reader.list(view, notes, { sort, limit: 100, ...valueless })
    for (const cursor of [first.nextCursor, empty.nextCursor]) {
      const statement = listStatement(view, planList(view, notes, { sort }), { limit: 20, cursor: cursor ?? '' })
      const unit = kernel.kernel.ports.database.tenant(owner.tenantId)
      const { rows } = await unit.query<{ 'QUERY PLAN': string }>(`explain ${statement.text}`, statement.values)
      const plan = rows.map(row => row['QUERY PLAN']).join('\n')
      t.regex(plan, /Index Scan (Backward )?using data_notes_\w+_idx/, plan)
      t.notRegex(plan, /Seq Scan|Sort Key: r.price/, plan)
    }
  })

test('finds rows whatever their other fields are called', async t => {
  for (const name of ['Anna', 'Berta', 'Anna Two', 'Anna Three', 'Anna Four'])
    await owner.post('/v1/data/boats', { name, owner: 'Ada', query: 'Ada', before: 'a', newest: 'a', rank: 'a' })
  const found = async (words: string) =>
    (await owner.get<{ data: { name: string }[] }>(`/v1/data/boats?q=${words}`)).body.data
      .map(({ name }) => name)
      .sort()
  t.deepEqual(await found('berta'), ['Berta'])
  t.deepEqual(await found('anna'), ['Anna', 'Anna Four', 'Anna Three', 'Anna Two'])
})
