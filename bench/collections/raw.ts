import { newId } from '../../kernel/base/index.ts'
import type { BenchEnvironment } from '../fixtures.ts'
import { child } from '../measure.ts'
import { CATEGORIES, courses, LISTED_LEVEL, newCourse } from './courses.ts'
import type { Side } from './side.ts'

/** Columns of the fields that Larder adds to every row. */
const SYSTEM_COLUMNS = `created_at timestamptz not null default now(), updated_at timestamptz not null default now(),
    created_by text, revision integer not null default 1`
const TABLES = `
  create table raw_categories (tenant_id text not null, id text not null, name text not null, ${SYSTEM_COLUMNS},
    primary key (tenant_id, id));
  create table raw_courses (tenant_id text not null, id text not null, title text not null, summary text, level text not null,
    price integer not null, starts_at timestamptz, published boolean not null, category_id text, ${SYSTEM_COLUMNS},
    primary key (tenant_id, id), foreign key (tenant_id, category_id) references raw_categories);
  create index on raw_courses (tenant_id, starts_at, id);
  create table raw_course_events (id text primary key, tenant_id text not null, type text not null, payload json not null,
    created_at timestamptz not null default now())`

export async function startRaw({ rawUrl, rawToken, query }: BenchEnvironment): Promise<Side> {
  await query(rawUrl, TABLES)
  const categories = CATEGORIES.map(() => newId('cat'))
  await query(
    rawUrl,
    `insert into raw_categories (tenant_id, id, name) select 'ten_1', * from unnest($1::text[], $2::text[])`,
    [categories, CATEGORIES],
  )
  const ids = courses.map(() => newId('crs'))
  const insert = `insert into raw_courses (tenant_id, id, title, summary, level, price, starts_at, published, category_id)
    select 'ten_1', c.id, c.title, c.summary, c.level, c.price, c."startsAt", c.published, c.category
    from json_to_recordset($1) c (id text, title text, summary text, level text, price int, "startsAt" timestamptz, published boolean, category text)`
  const rows = courses.map((course, index) => ({ ...course, id: ids[index], category: categories[course.category] }))
  await query(rawUrl, insert, [JSON.stringify(rows)])
  await query(rawUrl, 'analyze')
  const server = await child<{ url: string }>('./collections/raw-collections.js', [rawUrl])
  return {
    name: 'node:http + pg',
    pid: server.pid,
    url: `${server.ready.url}/courses`,
    id: ids[500],
    list: `level=${LISTED_LEVEL}`,
    headers: { authorization: `Bearer ${rawToken}` },
    row: { ...newCourse, category: categories[0] },
    stop: server.stop,
  }
}
