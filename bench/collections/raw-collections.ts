/**
 * The limit: `node:http` and `pg`, one statement for each request, which joins login and membership with the rows.
 * Responses have the same fields as those of Larder, and there are as many database connections.
 */
import type { IncomingMessage } from 'node:http'
import type pg from 'pg'
import { newId } from '../../kernel/base/index.ts'
import { CALLER, createPool, type RawResponse, secretHash, serveRaw } from '../raw-http.ts'
import { PAGE_SIZE } from './courses.ts'

const [url = ''] = process.argv.slice(2)
const pool = createPool(url)

/** The fields that Larder adds to every row of the table with this alias. */
const systemFields = (alias: string): string =>
  `'id', ${alias}.id, 'createdAt', ${alias}.created_at, 'updatedAt', ${alias}.updated_at,
    'createdBy', ${alias}.created_by, 'revision', ${alias}.revision`
const FIELDS = `${systemFields('r')}, 'title', r.title, 'summary', r.summary, 'level', r.level, 'price', r.price,
  'startsAt', r.starts_at, 'published', r.published`

const GET = `select (select json_build_object(${FIELDS}, 'category', r.category_id) from raw_courses r
  where r.tenant_id = c.tenant_id and r.id = $2) as body from (${CALLER}) c`

const LIST = `select (select json_build_object('data', coalesce(json_agg(json_build_object(${FIELDS},
    'category', json_build_object(${systemFields('k')}, 'name', k.name))), '[]')) from
    (select * from raw_courses where tenant_id = c.tenant_id and level = $2 order by starts_at desc, id limit ${PAGE_SIZE}) r
    left join raw_categories k on k.tenant_id = r.tenant_id and k.id = r.category_id) as body
  from (${CALLER}) c`

const CREATE = `with c as (${CALLER}), r as (
    insert into raw_courses (id, tenant_id, title, summary, level, price, starts_at, published, category_id, created_by)
    select $2, c.tenant_id, $3, $4, $5, $6, $7, $8, $9, c.user_id from c returning *),
  e as (insert into raw_course_events (id, tenant_id, type, payload)
    select $10, r.tenant_id, 'courses.created', json_build_object(${FIELDS}) from r)
  select json_build_object(${FIELDS}, 'category', r.category_id) as body from r`

async function respond(request: IncomingMessage, sent: Record<string, unknown>): Promise<RawResponse> {
  const hash = secretHash(request)
  if (request.method === 'POST') {
    const { title, summary, level, price, startsAt, published, category } = sent
    const values = [hash, newId('crs'), title, summary, level, price, startsAt, published, category, newId('evt')]
    return { status: 201, body: await bodyOf({ name: 'create', text: CREATE, values }) }
  }
  const { pathname, searchParams } = new URL(request.url ?? '', 'http://localhost')
  const id = pathname.split('/')[2]
  const query = id
    ? { name: 'get', text: GET, values: [hash, id] }
    : { name: 'list', text: LIST, values: [hash, searchParams.get('level')] }
  return { status: 200, body: await bodyOf(query) }
}

const bodyOf = async (query: pg.QueryConfig): Promise<object | undefined> => (await pool.query(query)).rows[0]?.body

serveRaw(respond)
