/**
 * The comparison: `node:http` and `pg`. Each request is one statement that joins login and membership, as any product must,
 * with the rows, without validation, authorization, limits and log. A new page is rendered like Larder's.
 */
import { createHash, randomBytes } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { newId } from '../kernel/base/index.ts'
import { renderMarkdown } from '../modules/content/domain/markdown.ts'
import { CALLER, createPool, type RawResponse, secretHash, serveRaw } from './raw-http.ts'

const [url = ''] = process.argv.slice(2)
const pool = createPool(url)

await pool.query(`
  create table raw_pages (id text primary key, tenant_id text not null, slug text not null, path text not null,
    locale text not null, version integer not null, published_version integer, published_at timestamptz,
    publish_at timestamptz, created_at timestamptz not null, updated_at timestamptz not null,
    unique (tenant_id, slug, locale), unique (tenant_id, path, locale));
  create index on raw_pages (tenant_id, id);
  create table raw_versions (page_id text not null references raw_pages, number integer not null,
    tenant_id text not null, title text not null, body text not null, html text not null, template text not null,
    seo jsonb not null, created_by text, created_at timestamptz not null, primary key (page_id, number));
  create table raw_sessions (id text primary key, tenant_id text not null, code text not null unique,
    token_hash text not null unique, mode text not null, stream_profile text not null default 'balanced',
    audio_enabled boolean not null default true, purpose text, customer text, metadata jsonb not null,
    status text not null default 'created', created_at timestamptz not null default now(),
    expires_at timestamptz not null default now() + interval '1 hour');
  create table raw_forms (id text primary key, tenant_id text not null, schema jsonb not null);
  create table raw_submissions (id text primary key, tenant_id text not null, form_id text not null, user_id text,
    data jsonb not null, created_at timestamptz not null default now())`)

const SUMMARY = `p.id, p.slug, p.path, p.locale, v.title, v.template, v.seo, 'draft' as status, v.number as version,
  p.published_version as "publishedVersion", p.published_at as "publishedAt", p.publish_at as "publishAt",
  null as "managedBy", p.created_at as "createdAt", p.updated_at as "updatedAt"`
const EVENT = 'insert into raw_events (id, tenant_id, type, subject, payload)'
const SESSION =
  'id, code, mode, stream_profile, audio_enabled, purpose, customer, metadata, status, created_at, expires_at'

const GET_PAGE = `select ${SUMMARY}, v.body, v.html from (${CALLER}) c
  join raw_pages p on p.tenant_id = c.tenant_id and p.id = $2
  join raw_versions v on v.page_id = p.id and v.number = p.version`
const LIST_PAGES = `select ${SUMMARY} from (${CALLER}) c
  join lateral (select * from raw_pages where tenant_id = c.tenant_id order by id desc limit 20) p on true
  join raw_versions v on v.page_id = p.id and v.number = p.version order by p.id desc`
const CREATE_PAGE = `with p as (
    insert into raw_pages (id, tenant_id, slug, path, locale, version, created_at, updated_at)
    select $2, c.tenant_id, $3, $4, 'en', 1, $5, $5 from (${CALLER}) c returning *),
  v as (insert into raw_versions (page_id, number, tenant_id, title, body, html, template, seo, created_at)
    select p.id, 1, p.tenant_id, $6, $7, $8, 'page', '{}', $5 from p),
  e as (${EVENT} select $9, p.tenant_id, 'page.created', p.id, $10 from p)
  select id from p`
const GET_SESSION = `select ${SESSION} from raw_sessions where id = $2 and tenant_id = (select tenant_id from (${CALLER}) c)`
const JOIN = `select ${SESSION} from raw_sessions where token_hash = $1`
const CREATE_SESSION = `with s as (
    insert into raw_sessions (tenant_id, id, code, token_hash, mode, purpose, metadata)
    select c.tenant_id, $2, $3, $4, $5, $6, $7 from (${CALLER}) c returning *),
  e as (${EVENT} select $8, s.tenant_id, 'session.created', s.id,
    json_build_object('id', s.id, 'mode', s.mode, 'purpose', s.purpose) from s)
  select ${SESSION} from s`
const CREATE_FORM = `insert into raw_forms select $2, c.tenant_id, $3 from (${CALLER}) c returning id`
const SUBMIT = `with s as (
    insert into raw_submissions (id, tenant_id, form_id, user_id, data)
    select $3, f.tenant_id, f.id, c.user_id, $4 from raw_forms f, (${CALLER}) c where f.id = $2 returning *),
  e as (${EVENT} select $5, s.tenant_id, 'form.submitted', s.id,
    json_build_object('id', s.id, 'formId', s.form_id) from s)
  select id, form_id, data, created_at from s`

const hashOf = (text: string) => createHash('sha256').update(text).digest('hex')
const find = async (name: string, text: string, values: unknown[]) =>
  (await pool.query({ name, text, values })).rows[0] as object | undefined

async function createPage(caller: string, { slug, title, body }: Record<string, string | undefined>) {
  const [id, path, html, createdAt] = [newId('pag'), `/${slug}`, renderMarkdown(body ?? ''), new Date()]
  const event = JSON.stringify({ pageId: id, slug, path, locale: 'en', version: 1 })
  const values = [caller, id, slug, path, createdAt, title, body, html, newId('evt'), event]
  const text = { title, template: 'page', seo: {}, body, html }
  const state = { status: 'draft', version: 1, publishedVersion: null, publishedAt: null, publishAt: null }
  const page = { id, slug, path, locale: 'en', ...text, ...state, managedBy: null, createdAt, updatedAt: createdAt }
  return (await find('create-page', CREATE_PAGE, values)) && page
}

async function createSession(caller: string, { mode, purpose = null, metadata = {} }: Record<string, unknown>) {
  const id = newId('ses')
  const token = `jt_${randomBytes(32).toString('base64url')}`
  const values = [caller, id, id.slice(-9), hashOf(token), mode, purpose, JSON.stringify(metadata), newId('evt')]
  const session = await find('create-session', CREATE_SESSION, values)
  return session && { ...session, join_token: token }
}

async function create(caller: string, resource: string, id: string | undefined, body: Record<string, unknown>) {
  if (resource === 'sessions') return createSession(caller, body)
  if (resource === 'content') return createPage(caller, body as Record<string, string>)
  if (id === undefined) return find('form', CREATE_FORM, [caller, newId('frm'), JSON.stringify(body.schema)])
  return find('submit', SUBMIT, [caller, id, newId('sub'), JSON.stringify(body.data), newId('evt')])
}

async function respond(request: IncomingMessage, body: Record<string, unknown>): Promise<RawResponse> {
  const [, , resource = '', second, third] = (request.url ?? '').split(/[/?]/)
  const caller = secretHash(request)
  if (resource === 'join') return { status: 200, body: await find('join', JOIN, [hashOf(String(body.join_token))]) }
  if (request.method === 'POST') return { status: 201, body: await create(caller, resource, second, body) }
  if (resource === 'sessions') return { status: 200, body: await find('get-session', GET_SESSION, [caller, second]) }
  if (third?.startsWith('pag_')) return { status: 200, body: await find('get-page', GET_PAGE, [caller, third]) }
  const { rows } = await pool.query({ name: 'list', text: LIST_PAGES, values: [caller] })
  return { status: 200, body: { data: rows, nextCursor: null } }
}

serveRaw(respond)
