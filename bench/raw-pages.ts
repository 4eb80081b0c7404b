/**
 * The comparison for pages of content: `node:http` and `pg`. Each request is one statement that joins login and user, as
 * any product must, with the page and its newest version, without validation, authorization and log. A new page is
 * rendered like Larder's and stored with its version and an event.
 */

import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { newId } from '../kernel/base/index.ts'
import { renderMarkdown } from '../modules/content/domain/markdown.ts'
import { CALLER, createPool, secretHash } from './raw-database.ts'

const [url = ''] = process.argv.slice(2)
const pool = createPool(url)

const SUMMARY = `p.id, p.slug, p.path, p.locale, v.title, v.template, v.seo, 'draft' as status, v.number as version,
  p.published_version as "publishedVersion", p.published_at as "publishedAt", p.publish_at as "publishAt",
  null as "managedBy", p.created_at as "createdAt", p.updated_at as "updatedAt"`
const GET = `select ${SUMMARY}, v.body, v.html from (${CALLER}) c
  left join raw_pages p on p.tenant_id = c.tenant_id and p.id = $2
  left join raw_versions v on v.page_id = p.id and v.number = p.version`
const LIST = `select ${SUMMARY} from (${CALLER}) c
  left join lateral (select * from raw_pages where tenant_id = c.tenant_id order by id desc limit 20) p on true
  left join raw_versions v on v.page_id = p.id and v.number = p.version order by p.id desc`
const CREATE = `with p as (
    insert into raw_pages (id, tenant_id, slug, path, locale, version, created_at, updated_at)
    select $2, c.tenant_id, $3, $4, 'en', 1, $5, $5 from (${CALLER}) c returning *),
  v as (insert into raw_versions (page_id, number, tenant_id, title, body, html, template, seo, created_at)
    select p.id, 1, p.tenant_id, $6, $7, $8, 'page', '{}', $5 from p),
  e as (insert into raw_events (id, tenant_id, type, subject, payload)
    select $9, p.tenant_id, 'page.created', p.id, $10 from p)
  select id from p`

function send(response: ServerResponse, status: number, body: unknown): void {
  const text = JSON.stringify(body)
  response.writeHead(status, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) })
  response.end(text)
}

async function create(request: IncomingMessage, response: ServerResponse): Promise<void> {
  let sent = ''
  for await (const chunk of request) sent += chunk
  const { slug, title, body } = JSON.parse(sent)
  const [id, path, locale, template, html, createdAt] = [
    newId('pag'),
    `/${slug}`,
    'en',
    'page',
    renderMarkdown(body),
    new Date(),
  ]
  const event = JSON.stringify({ pageId: id, slug, path, locale, version: 1 })
  const values = [secretHash(request), id, slug, path, createdAt, title, body, html, newId('evt'), event]
  const { rows } = await pool.query({ name: 'create', text: CREATE, values })
  if (!rows[0]) return send(response, 401, {})
  const text = { title, template, seo: {}, body, html }
  const state = { status: 'draft', version: 1, publishedVersion: null, publishedAt: null, publishAt: null }
  const times = { createdAt, updatedAt: createdAt }
  send(response, 201, { id, slug, path, locale, ...text, ...state, managedBy: null, ...times })
}

async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
  if (request.method === 'POST') return create(request, response)
  const id = request.url?.split('/')[4]
  if (id) {
    const { rows } = await pool.query({ name: 'one', text: GET, values: [secretHash(request), id] })
    if (!rows[0]) return send(response, 401, {})
    return send(response, rows[0].id === null ? 404 : 200, rows[0])
  }
  const { rows } = await pool.query({ name: 'list', text: LIST, values: [secretHash(request)] })
  if (!rows[0]) return send(response, 401, {})
  send(response, 200, { data: rows.filter(row => row.id !== null), nextCursor: null })
}

// The load generator disconnects at its end, in the middle of requests.
const server = createServer((request, response) => void handle(request, response).catch(() => response.destroy()))
server.listen(0, '127.0.0.1', () => process.send?.({ port: (server.address() as { port: number }).port }))
process.on('disconnect', () => process.exit(0))
