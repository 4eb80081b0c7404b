/** The comparison for form submissions: `node:http` and `pg`, one INSERT per request, no validation. */

import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import pg from 'pg'
import { newId } from '../kernel/base/index.ts'

const [url = ''] = process.argv.slice(2)
const pool = new pg.Pool({ connectionString: url, max: 10 })

async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
  let text = ''
  for await (const chunk of request) text += chunk
  const { data } = JSON.parse(text)
  const values = [newId('sub'), 'frm_1', JSON.stringify(data)]
  const { rows } = await pool.query({
    name: 'submit',
    text: 'insert into raw_submissions (id, form_id, data) values ($1, $2, $3) returning id, form_id, data, created_at',
    values,
  })
  const answer = JSON.stringify(rows[0])
  response.writeHead(201, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(answer) })
  response.end(answer)
}

const server = createServer((request, response) => void handle(request, response).catch(() => response.destroy()))
server.listen(0, '127.0.0.1', () => process.send?.({ port: (server.address() as { port: number }).port }))
process.on('disconnect', () => process.exit(0))
