/** The comparison for sessions: `node:http` and `pg`, one INSERT or SELECT per request, no authentication. */

import { createHash, randomBytes } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import pg from 'pg'
import { newId } from '../kernel/base/index.ts'

const [url = ''] = process.argv.slice(2)
const pool = new pg.Pool({ connectionString: url, max: 10 })
const COLUMNS =
  'id, code, mode, stream_profile, audio_enabled, purpose, customer, metadata, status, created_at, expires_at'
const hashOf = (token: string) => createHash('sha256').update(token).digest('hex')

async function bodyOf(request: IncomingMessage): Promise<Record<string, unknown>> {
  let text = ''
  for await (const chunk of request) text += chunk
  return JSON.parse(text || '{}')
}

async function create(body: Record<string, unknown>) {
  const id = newId('ses')
  const token = `jt_${randomBytes(32).toString('base64url')}`
  const values = [id, id.slice(-9), hashOf(token), body.mode, body.purpose ?? null, JSON.stringify(body.metadata ?? {})]
  const text = `insert into raw_sessions (id, code, token_hash, mode, purpose, metadata) values ($1, $2, $3, $4, $5, $6)
    returning ${COLUMNS}`
  return { ...(await pool.query({ name: 'create', text, values })).rows[0], join_token: token }
}
const one = async (name: string, column: string, value: string) =>
  (await pool.query({ name, text: `select ${COLUMNS} from raw_sessions where ${column} = $1`, values: [value] }))
    .rows[0]

async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { method, url: path = '' } = request
  const body = method === 'POST' ? await bodyOf(request) : {}
  const joins = path === '/v1/join'
  const found =
    method === 'GET'
      ? await one('get', 'id', path.split('/')[3] ?? '')
      : joins
        ? await one('join', 'token_hash', hashOf(String(body.join_token)))
        : await create(body)
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
