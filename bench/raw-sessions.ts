/**
 * The comparison for sessions: `node:http` and `pg`, one statement per request, without validation, authorization and log.
 * A new session is stored with an event. A join has no caller.
 */

import { createHash, randomBytes } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { newId } from '../kernel/base/index.ts'
import { CALLER, createPool, secretHash } from './raw-database.ts'

const [url = ''] = process.argv.slice(2)
const pool = createPool(url)
const COLUMNS =
  'id, code, mode, stream_profile, audio_enabled, purpose, customer, metadata, status, created_at, expires_at'
const hashOf = (token: string) => createHash('sha256').update(token).digest('hex')

async function bodyOf(request: IncomingMessage): Promise<Record<string, unknown>> {
  let text = ''
  for await (const chunk of request) text += chunk
  return JSON.parse(text || '{}')
}

const CREATE = `with s as (
    insert into raw_sessions (tenant_id, id, code, token_hash, mode, purpose, metadata)
    select c.tenant_id, $2, $3, $4, $5, $6, $7 from (${CALLER}) c returning *),
  e as (insert into raw_events (id, tenant_id, type, subject, payload)
    select $8, s.tenant_id, 'session.created', s.id, json_build_object('id', s.id, 'mode', s.mode, 'purpose', s.purpose) from s)
  select ${COLUMNS} from s`
const GET = `select ${COLUMNS} from raw_sessions where id = $2 and tenant_id = (select tenant_id from (${CALLER}) c)`
const JOIN = `select ${COLUMNS} from raw_sessions where token_hash = $1`

async function create(caller: string, body: Record<string, unknown>) {
  const id = newId('ses')
  const token = `jt_${randomBytes(32).toString('base64url')}`
  const { mode, purpose = null, metadata = {} } = body
  const values = [caller, id, id.slice(-9), hashOf(token), mode, purpose, JSON.stringify(metadata), newId('evt')]
  const { rows } = await pool.query({ name: 'create', text: CREATE, values })
  return rows[0] && { ...rows[0], join_token: token }
}
const find = async (name: string, text: string, values: readonly string[]) =>
  (await pool.query({ name, text, values: [...values] })).rows[0]

async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { method, url: path = '' } = request
  const body = method === 'POST' ? await bodyOf(request) : {}
  const joins = path === '/v1/join'
  const found =
    method === 'GET'
      ? await find('get', GET, [secretHash(request), path.split('/')[3] ?? ''])
      : joins
        ? await find('join', JOIN, [hashOf(String(body.join_token))])
        : await create(secretHash(request), body)
  const text = JSON.stringify(found ?? {})
  response.writeHead(found ? (method === 'POST' && !joins ? 201 : 200) : 404, {
    'content-type': 'application/json',
    'content-length': Buffer.byteLength(text),
  })
  response.end(text)
}

const server = createServer((request, response) => void handle(request, response).catch(() => response.destroy()))
server.listen(0, '127.0.0.1', () => process.send?.({ port: (server.address() as { port: number }).port }))
process.on('disconnect', () => process.exit(0))
