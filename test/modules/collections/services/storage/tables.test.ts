import test from 'ava'
import { withPeople } from '../../../../fixtures/with-people.ts'
import { connectOwner, recipeWith } from '../../fixtures.ts'

const COLLECTIONS = {
  categories: { fields: { name: { type: 'text', required: true, unique: true } } },
  tags: { fields: { name: { type: 'text' } } },
  countries: { scope: 'shared', fields: { code: { type: 'text', unique: true } } },
  courses: {
    fields: {
      title: { type: 'text', required: true },
      slug: { type: 'slug', from: 'title', unique: true },
      summary: { type: 'markdown' },
      level: { type: 'enum', values: ['beginner', 'advanced'], default: 'beginner' },
      price: { type: 'money', currency: 'EUR', min: 0 },
      rating: { type: 'number' },
      startsAt: { type: 'datetime', index: true },
      day: { type: 'date' },
      length: { type: 'duration' },
      published: { type: 'boolean', default: false },
      cover: { type: 'file' },
      teacher: { type: 'member' },
      category: { type: 'reference', to: 'categories' },
      country: { type: 'reference', to: 'countries' },
      parent: { type: 'reference', to: 'courses' },
      tags: { type: 'reference', to: 'tags', many: true },
      outline: { type: 'json' },
      gross: { type: 'computed', expression: 'round(price * 1.19)', of: 'integer' },
      shout: { type: 'computed', expression: "upper(title) + '!' + text(price)", of: 'text' },
      ratio: { type: 'computed', expression: 'price % 7 / rating', of: 'number' },
      isFree: { type: 'computed', expression: 'price == 0 || price == null', of: 'boolean' },
    },
    search: ['title', 'summary'],
    unique: [['teacher', 'title']],
    trash: '30d',
    history: 5,
  },
}

const recipe = recipeWith(COLLECTIONS)
const { kernel } = withPeople(test, {
  recipe: { ...recipe, modules: { ...recipe.modules, media: {} } },
  role: 'web',
  alone: true,
})

test('tables have forced row level security and a column per field', async t => {
  const owner = await connectOwner(t, kernel.databaseUrl)
  const tables = await owner.query<{ name: string; forced: boolean }>(
    `select relname as name, relrowsecurity and relforcerowsecurity as forced from pg_class
      where relkind = 'r' and relname like 'data\\_%' order by relname`,
  )
  t.deepEqual(
    tables.map(({ name, forced }) => `${name} ${forced}`),
    ['categories', 'countries', 'courses', 'courses__history', 'courses__tags', 'tags'].map(
      name => `data_${name} true`,
    ),
  )
  const columns = await owner.query<{ name: string; type: string }>(
    `select column_name as name, data_type as type from information_schema.columns
      where table_name = 'data_courses' order by ordinal_position`,
  )
  t.deepEqual(Object.fromEntries(columns.map(({ name, type }) => [name, type])), {
    tenant_id: 'text',
    id: 'text',
    created_at: 'timestamp with time zone',
    updated_at: 'timestamp with time zone',
    created_by: 'text',
    revision: 'integer',
    deleted_at: 'timestamp with time zone',
    title: 'text',
    slug: 'text',
    summary: 'text',
    level: 'text',
    price: 'bigint',
    rating: 'double precision',
    starts_at: 'timestamp with time zone',
    day: 'date',
    length: 'bigint',
    published: 'boolean',
    cover: 'text',
    teacher: 'text',
    category: 'text',
    country: 'text',
    parent: 'text',
    outline: 'jsonb',
    gross: 'bigint',
    shout: 'text',
    ratio: 'double precision',
    is_free: 'boolean',
    search: 'tsvector',
  })
})

test('computed columns and the search column are generated', async t => {
  const owner = await connectOwner(t, kernel.databaseUrl)
  await owner.query(
    `insert into data_courses (tenant_id, id, title, summary, price, rating) values ('ten_1', 'course_1', 'First steps', 'Learn', 100, 3)`,
  )
  const [row] = await owner.query(
    `select gross, shout, ratio, is_free, search::text from data_courses where tenant_id = 'ten_1'`,
  )
  t.deepEqual(row, {
    gross: '119',
    shout: 'FIRST STEPS!100',
    ratio: 2 / 3,
    is_free: false,
    search: "'first':1A 'learn':3B 'steps':2A",
  })
})

test('a row cannot refer to a row of another tenant, but to a shared one', async t => {
  const owner = await connectOwner(t, kernel.databaseUrl)
  await owner.query(`insert into data_categories (tenant_id, id, name) values ('ten_a', 'category_a', 'A')`)
  await owner.query(`insert into data_countries (tenant_id, id, code) values ('ten_operator', 'country_de', 'DE')`)
  const insert = (id: string, column: string, value: string) =>
    owner.query(`insert into data_courses (tenant_id, id, title, ${column}) values ('ten_b', $1, $1, $2)`, [id, value])
  await t.throwsAsync(insert('course_x', 'category', 'category_a'), { message: /data_courses_category_fkey/ })
  await t.notThrowsAsync(insert('course_y', 'country', 'country_de'))
})

test('every tenant reads a shared collection, and only the operator writes it', async t => {
  const { database, operator } = kernel.kernel.ports
  const insert = (tenant: string, id: string) =>
    database.tenant(tenant).query(`insert into data_countries (tenant_id, id, code) values ($1, $2, $2)`, [tenant, id])
  await insert(operator.tenantId, 'country_at')
  await t.throwsAsync(insert('ten_c', 'country_ch'), { message: /row-level security/ })
  const { rows } = await database.tenant('ten_c').query("select id from data_countries where id = 'country_at'")
  t.is(rows.length, 1)
  const { rowCount } = await database.tenant('ten_c').query("delete from data_countries where id = 'country_at'")
  t.is(rowCount, 0)
})

test('a unique value can be used again when its row is in the trash', async t => {
  const owner = await connectOwner(t, kernel.databaseUrl)
  const insert = (id: string, deleted: string | null) =>
    owner.query(
      `insert into data_courses (tenant_id, id, title, slug, deleted_at) values ('ten_d', $1, $1, 'same', $2)`,
      [id, deleted],
    )
  await insert('course_1', '2026-01-01')
  await insert('course_2', null)
  await t.throwsAsync(insert('course_3', null), { message: /duplicate key/ })
})

test('the deletion of a tenant waits for its event handlers', async t => {
  const owner = await connectOwner(t, kernel.databaseUrl)
  await owner.query(`insert into data_courses (tenant_id, id, title) values ('ten_f', 'course_1', 'Tea')`)
  await owner.query(
    `insert into larder_deliveries (id, event_id, handler, tenant_id, state, attempts, next_attempt_at)
     values ('dlv_f', 'evt_f', 'tests.waits', 'ten_f', 'pending', 1, now() + interval '1 hour')`,
  )
  const deletion = kernel.kernel.ports.tenantDeletion.run('ten_f', new AbortController().signal)
  t.is((await owner.query(`select id from data_courses where tenant_id = 'ten_f'`)).length, 1)
  await owner.query(`update larder_deliveries set state = 'done' where id = 'dlv_f'`)
  t.deepEqual(await deletion, { complete: true })
  t.deepEqual(await owner.query(`select id from data_courses where tenant_id = 'ten_f'`), [])
})

test('the tables of a deleted tenant are emptied', async t => {
  const owner = await connectOwner(t, kernel.databaseUrl)
  await owner.query(
    `insert into data_courses (tenant_id, id, title) select 'ten_e', 'course_' || n, n from generate_series(1, 1500) as n`,
  )
  await owner.query(`update data_courses set parent = 'course_1' where tenant_id = 'ten_e' and id <> 'course_1'`)
  const { complete } = await kernel.kernel.ports.tenantDeletion.run('ten_e', new AbortController().signal)
  t.true(complete)
  t.deepEqual(await owner.query(`select id from data_courses where tenant_id = 'ten_e'`), [])
})
