/** Lists of a workspace with 150,000 rows, beside a small one. */
import test from 'ava'
import pg from 'pg'
import type { Person } from '../../../../testing/index.ts'
import { waitFor } from '../../../fixtures/wait.ts'
import { withPeople } from '../../../fixtures/with-people.ts'

const ROWS = 150_000
const PATH = '/v1/data/notes'

interface Refusal {
  readonly errors?: readonly { readonly pointer: string; readonly code: string; readonly detail: string }[]
}

const { kernel, large, small } = withPeople(
  test,
  {
    recipe: {
      modules: { identity: {}, collections: {} },
      collections: {
        notes: {
          fields: {
            title: { type: 'text' },
            price: { type: 'integer' },
            level: { type: 'integer', index: true },
            published: { type: 'boolean' },
          },
        },
      },
    },
  },
  { large: 'owner', small: 'owner' },
  async () => {
    const database = new pg.Client(kernel.databaseUrl)
    database.on('error', () => {})
    await database.connect()
    // Ten rows of each level, and every second one is published.
    const insert = (person: Person, rows: number) =>
      database.query(
        `insert into data_notes (tenant_id, id, title, price, level, published)
     select $1, 'note_' || $2 || lpad(i::text, 8, '0'), 'note ' || i, i, i / 10, i % 2 = 0 from generate_series(1, $3::int) i`,
        [person.tenantId, person.userId, rows],
      )
    await insert(large, ROWS)
    await insert(small, 100)
    await database.query('analyze data_notes')
    await database.end()
  },
)

const refusalOf = async (query: string) => {
  const { status, body } = await large.get<Refusal>(`${PATH}?${query}`)
  return { status, ...body.errors?.[0] }
}

test('refuses to sort by a field without an index, and names it', async t => {
  const { status, pointer, code, detail } = await refusalOf('sort=-price')
  t.is(status, 400)
  t.like({ pointer, code }, { pointer: 'query/sort', code: 'index_required' })
  t.regex(detail ?? '', /price.*index: true/)
})

test('refuses a filter that few rows match by a field without an index, and names it', async t => {
  const { status, pointer, code, detail } = await refusalOf('filter[title]=note%207')
  t.is(status, 400)
  t.like({ pointer, code }, { pointer: 'query/filter[title]', code: 'index_required' })
  t.regex(detail ?? '', /title.*index: true/)
})

for (const query of [
  '',
  'sort=level',
  'sort=-createdAt',
  'filter[level]=7',
  // Few rows remain to be sorted.
  'filter[level]=7&sort=price',
  'filter[level]=7&filter[title]=note%2077',
  // The first rows fill the page.
  'filter[published]=true&limit=10',
])
  test(`answers ${query || 'a list'} in a large workspace`, async t => {
    t.is((await large.get(`${PATH}?${query}`)).status, 200)
  })

test('a small workspace beside a large one sorts and filters by all fields', async t => {
  for (const query of ['sort=price', 'filter[title]=note%207', 'filter[title]=note%207&sort=-price'])
    t.is((await small.get(`${PATH}?${query}`)).status, 200, query)
})

test('streams and exports are refused for an order without an index, and answered for a filter', async t => {
  const csv = { headers: { accept: 'text/csv' } }
  t.is((await large.get<Refusal>(`${PATH}?sort=price`, csv)).body.errors?.[0]?.code, 'index_required')
  t.is((await large.get(`${PATH}?filter[title]=note%207`, csv)).status, 200)
  t.is((await large.post<Refusal>(`${PATH}/exports?sort=price`)).body.errors?.[0]?.code, 'index_required')
  t.is((await large.post(`${PATH}/exports?filter[title]=note%207`)).status, 202)
})

test('counts and aggregates need no index', async t => {
  const { body } = await large.get<{ total: number }>(`${PATH}?include=total&limit=1`)
  t.is(body.total, ROWS)
  t.is((await large.get(`${PATH}/aggregate?sum=price&filter[title]=note%207`)).status, 200)
})

test('a chart of days reads the rows of its days by their time of creation, and no others', async t => {
  const database = new pg.Client(kernel.databaseUrl)
  database.on('error', () => {})
  await database.connect()
  try {
    const scans = async () => {
      const { status } = await large.get(`${PATH}/aggregate?by=day&from=2020-01-01&to=2020-02-29`)
      t.is(status, 200)
      const { rows } = await database.query<{ scans: number }>(
        `select idx_scan::int as scans from pg_stat_user_indexes join pg_indexes on indexname = indexrelname
         where relname = 'data_notes' and indexdef like '%(tenant_id, created_at)'`,
      )
      return rows[0]?.scans ?? 0
    }
    t.true((await waitFor(scans, count => count > 0)) > 0)
  } finally {
    await database.end()
  }
})
