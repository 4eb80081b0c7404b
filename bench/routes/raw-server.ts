/**
 * The comparison for routes: `node:http` and `pg`, one statement per request on rows of the same size, without
 * authentication, validation and log. Argument: database URL.
 */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { newId } from '../../kernel/base/index.ts'
import { createPool } from '../raw-database.ts'

const [databaseUrl = ''] = process.argv.slice(2)
const pool = createPool(databaseUrl)
const COLUMNS = 'id, tenant_id as "tenantId", data, created_at as "createdAt"'
const STATEMENTS = {
  one: `select ${COLUMNS} from raw_records where tenant_id = $1 and id = $2`,
  list: `select ${COLUMNS} from raw_records where tenant_id = $1 order by id limit $2`,
  insert: `insert into raw_records (tenant_id, id, data) values ($1, $2, $3) returning ${COLUMNS}`,
  update: `update raw_records set data = $3 where tenant_id = $1 and id = $2 returning ${COLUMNS}`,
  delete: 'delete from raw_records where tenant_id = $1 and id = $2',
} as const
type Statement = keyof typeof STATEMENTS

const run = async (name: Statement, values: readonly unknown[]) =>
  (await pool.query({ name, text: STATEMENTS[name], values: [...values] })).rows

async function readBody(request: IncomingMessage): Promise<string> {
  let text = ''
  for await (const chunk of request) text += chunk
  return text
}

async function answer(shape: string, [tenant = '', argument = '']: readonly string[], body: string): Promise<string> {
  if (shape === 'fixed') return 'x'.repeat(Number(tenant))
  if (shape === 'list') return JSON.stringify({ data: await run('list', [tenant, Number(argument)]), nextCursor: null })
  if (shape === 'one') return JSON.stringify((await run('one', [tenant, argument]))[0])
  if (shape === 'delete') return String((await run('delete', [tenant, argument])).length)
  if (shape === 'update') return JSON.stringify((await run('update', [tenant, argument, body]))[0])
  return JSON.stringify((await run('insert', [tenant, newId('raw'), body]))[0])
}

async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const [, shape = '', ...args] = (request.url ?? '').split('/')
  const text = await answer(shape, args, await readBody(request))
  response.writeHead(200, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) })
  response.end(text)
}

// The load generator disconnects at its end, in the middle of requests.
const server = createServer((request, response) => void handle(request, response).catch(() => response.destroy()))
server.listen(0, '127.0.0.1', () => process.send?.({ port: (server.address() as { port: number }).port }))
process.on('disconnect', () => process.exit(0))
